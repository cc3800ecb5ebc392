#!/usr/bin/env python3
"""The editors' grammar of .dcj gives each token of each definition the scope that its kind has.

What a token is, is read here as the language's reader does (src/protocol/language/reader.cpp), without the grammar;
then the grammar's patterns are applied as an editor does: line by line, the first one that matches furthest left.

usage: grammar.py SOURCES
"""
import json
import pathlib
import re
import sys

sources = pathlib.Path(sys.argv[1])
folder = sources / "editors/dcj"
package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
grammar = json.loads((folder / package["contributes"]["grammars"][0]["path"]).read_text(encoding="utf-8"))
json.loads((folder / package["contributes"]["languages"][0]["configuration"]).read_text(encoding="utf-8"))
assert grammar["scopeName"] == package["contributes"]["grammars"][0]["scopeName"]

# The names that the language's own tables have.
builtins = set(re.findall(r'\{"([^"]+)", \{', (sources / "src/protocol/language/builtins.cpp").read_text(encoding="utf-8")))
control = {"cat", "alt", "par", "do", "loop", "recur", "if", "let", "?", "*", "+", "cat-every", "alt-every", "par-every", "channel"}
definitions = {"defrole", "defsession", "defn"}
messages = {"-->>", "-->", "close"}

token = re.compile(
    r"""(?P<space>[\s,]+)|(?P<comment>;[^\n]*)|(?P<discard>\#_)|(?P<string>\#?"(?:\\.|[^"\\])*")|(?P<bracket>\#\{|[()\[\]}])
    |(?P<number>[+-]?[0-9][\w*+!'?<>=.$&%/\-|\#:]*)|(?P<tag>::[\w*+!'?<>=.$&%/\-|\#:]+)|(?P<keyword>:[\w*+!'?<>=.$&%/\-|\#:]+)
    |(?P<symbol>[\w*+!?<>=.$&%/\-|][\w*+!'?<>=.$&%/\-|\#:]*)""",
    re.VERBOSE | re.DOTALL,
)
scope_of = {"comment": "comment.", "discard": "comment.", "string": "string.", "bracket": "punctuation.",
            "number": "constant.numeric.", "tag": "entity.", "keyword": "constant.other."}


def scope_of_symbol(word):
    bare = word.removeprefix("s/")
    if bare in messages:
        return "keyword.operator."
    if bare in definitions:
        return "keyword.declaration."
    if bare in control:
        return "keyword.control."
    if word in ("true", "false", "nil"):
        return "constant.language."
    if word in builtins or word == "try":
        return "support."
    return "variable."


def expected(text):
    at = 0
    while at < len(text):
        found = token.match(text, at)
        if found is None:
            raise SystemExit(f"no token at {text[at:at + 20]!r}")
        if found.lastgroup == "symbol":
            yield at, found[0], scope_of_symbol(found[0])
        elif found.lastgroup != "space":
            yield at, found[0], scope_of[found.lastgroup]
        at = found.end()


rules = [{key: re.compile(rule[key]) for key in ("match", "begin", "end") if key in rule} | {"name": rule["name"]}
         for rule in grammar["patterns"]]


def scopes(text):
    """The scope of each character; and where a match begins."""
    result, begins = [""] * len(text), [False] * len(text)
    inside, start = None, 0
    for line in text.splitlines(keepends=True):
        at = 0
        while at < len(line):
            if inside is not None:
                escape = re.compile(r"\\.").search(line, at)
                found = inside["end"].search(line, at)
                if escape and found and escape.start() < found.start():
                    stop, ended = escape.end(), False
                else:
                    stop, ended = (found.end(), True) if found else (len(line), False)
                for k in range(at, stop):
                    result[start + k] = inside["name"]
                at, inside = stop, None if ended else inside
                continue
            best = None
            for rule in rules:
                found = rule.get("match", rule.get("begin")).search(line, at)
                if found and (best is None or found.start() < best[0].start()):
                    best = (found, rule)
            if best is None:
                break
            found, rule = best
            begins[start + found.start()] = True
            for k in range(*found.span()):
                result[start + k] = rule["name"]
            at = found.end()
            if "begin" in rule:
                inside = rule
        start += len(line)
    return result, begins


files = sorted(sources.glob("examples/protocols/*.dcj")) + sorted(sources.glob("tests/*/*.dcj")) + sorted(
    sources.glob("bench/protocol/*.dcj"))
texts = [(file.relative_to(sources).as_posix(), file.read_text(encoding="utf-8")) for file in files]
texts.append(("what no definition has", '#_(s/* [x "a ; \\" b" #"r\\d"]) :l -1 1/2 s/+ + not= (f a-b #{1}) ; ::no\ninc incx s/let letter'))
texts.append(("the builtins", " ".join(sorted(builtins))))
wrong = tokens = 0
for name, text in texts:
    got, begins = scopes(text)
    for at, word, scope in expected(text):
        tokens += 1
        whole = all(got[k].startswith(scope) for k in range(at, at + len(word)))
        if begins[at] and whole:
            continue
        wrong += 1
        line = text.count("\n", 0, at) + 1
        print(f"{name}:{line}: {word!r}: {sorted(set(got[at:at + len(word)]))}, and not {scope}")
print(f"{tokens} tokens in {len(texts)} texts")
sys.exit(bool(wrong or tokens < 1000 or len(builtins) < 40))
