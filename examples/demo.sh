#!/bin/sh
# The demo: the example project in a separate folder, three questions, a note to check, two documents
# from approved specifications, and the delivery made of them as Word and PDF.
#
#     examples/demo.sh FOUNDRY TARGET
#
# FOUNDRY is the program (.venv/bin/foundry), TARGET the folder to make. Running it
# again works on the same folder. A question without an answer must end with status
# 3, and the note, of which half is wrong, with 1; any other status stops the demo.
set -eu

if [ "$#" -ne 2 ]; then
    echo "usage: $0 FOUNDRY TARGET" >&2
    exit 2
fi
foundry=$1
target=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# The demo works from inside the target folder: a relative program would be lost.
case $foundry in
    /*) ;;
    */*) foundry=$PWD/$foundry ;;
esac

heading() {
    printf '\n== %s\n\n' "$1"
}

ask() {
    heading "$2"
    status=0
    "$foundry" ask --project . "$2" || status=$?
    if [ "$status" -ne "$1" ]; then
        echo "The demo expected status $1 here and got $status." >&2
        exit 1
    fi
}

heading "The example project in $target"
mkdir -p -- "$target"
cp -R -- "$here/dmx-controller/." "$target/"
cd -- "$target"
find sources -type f | LC_ALL=C sort

heading "Ingest: read, cut, index"
"$foundry" ingest --project .

ask 0 "Hoe lang loopt de klok door wanneer de voeding wegvalt?"
ask 0 "What isolation voltage is specified between port and supply?"
ask 3 "Which pension fund insures the staff?"

heading "A note that someone wrote, held against the sources"
cat -- "$here/handover-note.md"
printf '\n'
status=0
"$foundry" verify --project . "$here/handover-note.md" || status=$?
if [ "$status" -ne 1 ]; then
    echo "The demo expected status 1 here and got $status." >&2
    exit 1
fi

# The example's specification is a draft: somebody has to approve it.
draft() {
    heading "$3"
    "$foundry" feature check --project . "$1"
    "$foundry" feature approve --project . "$1" --by "$4"
    "$foundry" generate --project . --topic "$2" --feature "$1" --output "output/$1.md" --yes
    "$foundry" draft accept --project . "$1" --by "$4"
}

draft wiring-guide "Wiring the LC-512" "A specification, approved; a cited document from it, accepted" "Daan Verbeke"
draft veiligheid "Veiligheid van de LC-512" "And one in Dutch" "Sanne Kuiper"

heading "The document: output/wiring-guide.md, without its front matter and notes"
awk '/^---$/ { fences++; next } /^\[\^1\]:/ { exit } fences >= 2' output/wiring-guide.md

heading "The delivery: both in one document, as Word and PDF"
"$foundry" build --project . --format docx,pdf --yes
