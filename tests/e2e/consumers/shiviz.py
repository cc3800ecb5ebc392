#!/usr/bin/env python3
"""Reads a log as ShiViz does, by the rules of its parser and of its model, and prints its events as JSON.

The first line is the regular expression, the second what is between executions. Each host's clock begins at 1 and grows by 1, each
clock names only hosts that are there, and is the largest of its own and of those of the events that it has seen.

usage: shiviz.py FILE
"""
import json
import re
import sys

regex, delimiter, log = open(sys.argv[1], encoding="utf-8", newline="\n").read().split("\n", 2)
for group in ["event", "host", "clock"]:
    assert f"(?<{group}>" in regex, f"the expression has no group {group}"
assert delimiter.strip() == "", "there is one execution"
matches = list(re.finditer(regex.replace("(?<", "(?P<"), log))
assert "\n".join(match[0] for match in matches) == log.rstrip("\n"), "the expression reads not all of the log"
events = [{"event": m["event"], "host": m["host"], "clock": json.loads(m["clock"])} for m in matches]

by_host = {}
for event in events:
    own = by_host.setdefault(event["host"], [])
    own.append(event)
    assert event["clock"].get(event["host"]) == len(own), f"a clock does not grow by one: {event}"
for event in events:
    expected = {}
    for host, time in event["clock"].items():
        assert host in by_host and 1 <= time <= len(by_host[host]), f"a clock names what is not there: {event}"
        before = by_host[host][time - (2 if host == event["host"] else 1)] if host != event["host"] or time > 1 else None
        for other, seen in (before["clock"] if before else {}).items():
            expected[other] = max(expected.get(other, 0), seen)
    expected[event["host"]] = event["clock"][event["host"]]
    assert expected == event["clock"], f"a clock is not what the messages make it: {event}, {expected}"
print(json.dumps(events))
