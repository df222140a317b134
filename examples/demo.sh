#!/bin/sh
# The demo: the example project in a separate folder, a question, one without an answer, a note to
# check, a document from an approved specification and its delivery as Word and PDF, and the first
# question again with a model that makes a mistake.
#
#     examples/demo.sh [-v] FOUNDRY TARGET
#
# FOUNDRY is the program (.venv/bin/foundry), TARGET the folder to make. Running it
# again works on the same folder. A question without an answer must end with status
# 3, and the note, of which a part is wrong, with 1; any other status stops the demo.
# Long lines are cut, and empty ones left out; -v shows all that the commands say.
set -eu

quiet=-q
if [ "${1:-}" = -v ]; then
    quiet=-v
    shift
fi
if [ "$#" -ne 2 ]; then
    echo "usage: $0 [-v] FOUNDRY TARGET" >&2
    exit 2
fi
foundry=$1
target=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
question="How much cable may one output drive?"

# The demo works from inside the target folder: a relative program would be lost.
case $foundry in
    /*) ;;
    */*) foundry=$PWD/$foundry ;;
esac

# The model runs in any Python 3; beside the program is one.
python=$(dirname -- "$foundry")/python
[ -x "$python" ] || python=python3

notes=$(mktemp)
trap 'rm -f -- "$notes"' EXIT

# run STATUS COMMAND...: keep what the command prints in $shown; its status must be this one. What
# it says besides is shown only when it is not.
run() {
    expected=$1
    shift
    status=0
    shown=$("$@" 2> "$notes") || status=$?
    if [ "$status" -ne "$expected" ]; then
        cat -- "$notes" >&2
        printf '%s\n' "$shown" "The demo expected status $expected here and got $status: $*" >&2
        exit 1
    fi
    if [ "$quiet" = -v ]; then
        cat -- "$notes"
    fi
}

between=""
heading() {
    printf '%s== %s\n' "$between" "$1"
    between="
"
}

# show [LINES]: the first lines of $shown, or all, of at most 110 characters each.
show() {
    if [ "$quiet" = -v ]; then
        printf '%s\n' "$shown"
        return
    fi
    printf '%s\n' "$shown" | awk -v most="${1:-1000}" 'NF && n++ < most' \
        | LC_ALL=C.UTF-8 sed -E 's/^(.{105}).{6,}$/\1 …/'
}

mkdir -p -- "$target"
cp -R -- "$here/dmx-controller/." "$target/"
cd -- "$target"

heading "foundry ingest (the example project, in $target)"
run 0 "$foundry" ingest "$quiet" --project .
show

heading "foundry ask \"$question\" (no model; the first two of its passages)"
run 0 "$foundry" ask "$quiet" --project . "$question"
show 7

unanswered="Which pension fund insures the staff?"
heading "foundry ask \"$unanswered\""
run 3 "$foundry" ask "$quiet" --project . "$unanswered"
show

heading "foundry verify handover-note.md (of each passage list, the first)"
cp -- "$here/handover-note.md" .
run 1 "$foundry" verify "$quiet" --project . handover-note.md
[ "$quiet" = -v ] ||
    shown=$(printf '%s\n' "$shown" | awk '/^[^ ]/ { n = 0 } /^  nearest:/ { n++ } n < 2')
show

# The example's specification is a draft: somebody has to approve it.
heading "foundry generate, draft accept, build (a document of quotations: its first lines)"
run 0 "$foundry" feature check "$quiet" --project . wiring-guide
run 0 "$foundry" feature approve "$quiet" --project . wiring-guide --by "Daan Verbeke"
run 0 "$foundry" generate "$quiet" --project . --topic "Wiring the LC-512" --feature wiring-guide \
    --output output/wiring-guide.md --yes
run 0 "$foundry" draft accept "$quiet" --project . wiring-guide --by "Daan Verbeke"
shown=$(awk '/^---$/ { fences++; next } /^\[\^1\]:/ { exit } fences >= 2' output/wiring-guide.md)
show 8

run 0 "$foundry" build "$quiet" --project . --format docx,pdf --yes
show 1

heading "The same question, with a language model (a scripted one, over HTTP, that says 300 m at first)"
run 0 "$python" "$here/scripted_model.py" "$foundry" ask "$quiet" --project . "$question"
printf '%s\n' "$shown" | awk NF | fold -s -w 110

heading "Now open $target/output/LC-512-DMX-lighting-controller.pdf, or use a folder of your own:"
echo 'foundry init my-project            # then copy your files to my-project/sources'
echo 'cd my-project && foundry ingest'
echo 'foundry ask "..."'
