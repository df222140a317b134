import zipfile
from pathlib import Path

from tests.readers.sample_files import find_path, list_blocks, read_file, read_path

REQIF = """<REQ-IF xmlns="http://www.omg.org/spec/ReqIF/20110401/reqif.xsd" xmlns:x="http://www.w3.org/1999/xhtml">
<THE-HEADER><REQ-IF-HEADER IDENTIFIER="h"><TITLE>Brakes</TITLE></REQ-IF-HEADER></THE-HEADER>
<CORE-CONTENT><REQ-IF-CONTENT><DATATYPES><ENUM-VALUE IDENTIFIER="e1" LONG-NAME="Approved"/></DATATYPES>
<SPEC-TYPES><D IDENTIFIER="at" LONG-NAME="ReqIF.Text"/><D IDENTIFIER="ai" LONG-NAME="ReqIF.ForeignID"/>
<D IDENTIFIER="ac" LONG-NAME="ReqIF.ChapterName"/><D IDENTIFIER="as" LONG-NAME="Status"/>
<D IDENTIFIER="rt" LONG-NAME="satisfies"/></SPEC-TYPES><SPEC-OBJECTS>
<SPEC-OBJECT IDENTIFIER="o1"><VALUES><ATTRIBUTE-VALUE-STRING THE-VALUE="Stopping"><DEFINITION><R>ac</R>
</DEFINITION></ATTRIBUTE-VALUE-STRING></VALUES></SPEC-OBJECT>
<SPEC-OBJECT IDENTIFIER="o2"><VALUES><ATTRIBUTE-VALUE-STRING THE-VALUE="REQ-2"><DEFINITION><R>ai</R>
</DEFINITION></ATTRIBUTE-VALUE-STRING><ATTRIBUTE-VALUE-XHTML><DEFINITION><R>at</R></DEFINITION><THE-VALUE>
<x:div><x:p>The car <x:b>shall</x:b> stop.</x:p></x:div></THE-VALUE></ATTRIBUTE-VALUE-XHTML>
<ATTRIBUTE-VALUE-ENUMERATION><DEFINITION><R>as</R></DEFINITION><VALUES><R>e1</R></VALUES>
</ATTRIBUTE-VALUE-ENUMERATION></VALUES></SPEC-OBJECT><SPEC-OBJECT IDENTIFIER="o3" LONG-NAME="Law"/>
</SPEC-OBJECTS><SPEC-RELATIONS><SPEC-RELATION IDENTIFIER="r"><SOURCE><SPEC-OBJECT-REF>o2</SPEC-OBJECT-REF>
</SOURCE><TARGET><SPEC-OBJECT-REF>o3</SPEC-OBJECT-REF></TARGET><TYPE><R>rt</R></TYPE></SPEC-RELATION>
</SPEC-RELATIONS><SPECIFICATIONS><SPECIFICATION IDENTIFIER="s" LONG-NAME="System"><CHILDREN>
<SPEC-HIERARCHY><OBJECT><SPEC-OBJECT-REF>o1</SPEC-OBJECT-REF></OBJECT><CHILDREN><SPEC-HIERARCHY><OBJECT>
<SPEC-OBJECT-REF>o2</SPEC-OBJECT-REF></OBJECT></SPEC-HIERARCHY></CHILDREN></SPEC-HIERARCHY></CHILDREN>
</SPECIFICATION></SPECIFICATIONS></REQ-IF-CONTENT></CORE-CONTENT></REQ-IF>"""


def test_a_requirement_has_its_identifier_and_stands_under_its_heading(tmp_path: Path) -> None:
    document = read_file(tmp_path, "a.reqif", REQIF)
    assert find_path(document, "REQ-2: The car shall stop.") == ("System", "Stopping")
    assert document.title == "Brakes"


def test_its_other_attributes_and_relations_are_a_row(tmp_path: Path) -> None:
    blocks = list_blocks(read_file(tmp_path, "a.reqif", REQIF))
    assert blocks[-1] == ("table", "ID | Status | →\nREQ-2 | Approved | satisfies Law")


def test_what_no_specification_names_is_not_lost(tmp_path: Path) -> None:
    assert ("paragraph", "Law") in list_blocks(read_file(tmp_path, "a.reqif", REQIF))


def test_an_archive_is_read_as_its_files(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.reqifz", "w") as archive:
        archive.writestr("in/spec.reqif", REQIF)
    document = read_path(tmp_path / "a.reqifz")
    assert document.text == read_file(tmp_path, "a.reqif", REQIF).text
