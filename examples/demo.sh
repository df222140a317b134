#!/bin/sh
# The demo: the example project in a folder of its own, three questions, a note to check, one document.
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

document=output/wiring.md
heading "A cited document: $document"
"$foundry" generate --project . --topic "Wiring the DMX lines of the LC-512" --output "$document" --yes
printf '\n'
cat -- "$document"
