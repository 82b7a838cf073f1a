# Makes one text of a page, its style and its scripts, as a C++ literal:
#   cmake -DFOLDER=lib/Target/Page -DOUTPUT=Page.inc -P EmbedPage.cmake
# @CSS@ and @SCRIPT@ in page.html become the text of page.css, and that of the
# scripts that Scripts.cmake lists.
include("${FOLDER}/Scripts.cmake")
file(READ "${FOLDER}/page.html" page)
file(READ "${FOLDER}/page.css" CSS)
set(SCRIPT "")
foreach(script ${HETERO_PAGE_SCRIPTS})
  file(READ "${FOLDER}/${script}" text)
  string(APPEND SCRIPT "${text}")
endforeach()
foreach(part CSS SCRIPT)
  string(REPLACE "@${part}@" "${${part}}" page "${page}")
endforeach()
file(WRITE "${OUTPUT}" "R\"PAGE(${page})PAGE\"\n")
