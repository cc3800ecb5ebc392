#!/usr/bin/env python3
"""Reads a JUnit report as GitHub's actions and GitLab do, and prints its test cases as JSON.

What they need must be there (a name, class, time, a failure's text), and the numbers of each suite must be those of its cases.

usage: junit.py FILE
"""
import json
import sys
import xml.etree.ElementTree as tree

root = tree.parse(sys.argv[1]).getroot()
assert root.tag == "testsuites"
cases = []
for suite in root:
    assert suite.tag == "testsuite" and suite.get("name")
    counts = {"failure": 0, "error": 0, "skipped": 0}
    for case in suite:
        assert case.tag == "testcase" and case.get("name") and case.get("classname") and float(case.get("time")) >= 0
        ways = [child for child in case if child.tag in counts]
        assert len(ways) <= 1
        for way in ways:
            counts[way.tag] += 1
            assert way.tag == "skipped" or (way.get("message") and way.get("type") and way.text)
        cases.append({"name": case.get("name"), "way": ways[0].tag if ways else "passed",
                      "text": ways[0].text or "" if ways else "", "file": case.get("file"), "line": case.get("line")})
    for element in [suite, root]:
        assert int(element.get("tests")) == len(suite)
        assert [int(element.get(name)) for name in ["failures", "errors", "skipped"]] == list(counts.values())
print(json.dumps(cases))
