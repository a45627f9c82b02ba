#!/usr/bin/env python3
"""Tests many mutants of the crate with a single build.

    cargo install cargo-mutants --locked
    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install tree-sitter tree-sitter-rust
    /tmp/venv/bin/python tools/mutants.py build    # lists the mutants, compiles them into a copy
    /tmp/venv/bin/python tools/mutants.py run      # runs the tests for each mutant
    /tmp/venv/bin/python tools/mutants.py report   # the share that was caught, and what was missed

`cargo mutants` builds the crate for each mutant. This tool compiles all of its mutants into one
build, and an environment variable selects the mutant that is active in a run of the tests. Mutants
that do not compile are left out; a mutant with which the tests do not end counts as caught.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

import tree_sitter
import tree_sitter_rust

ROOT = pathlib.Path(__file__).resolve().parent.parent
CRATE = pathlib.Path("crates/bevy_steer")
RUST = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))
# Each mutant has a number, from 1. The environment variable MUTANT selects the active one.
SWITCH = """//! The number of the active mutant.
use std::sync::LazyLock;
static ACTIVE: LazyLock<usize> =
    LazyLock::new(|| std::env::var("MUTANT").map_or(0, |id| id.parse().expect("a number")));
#[inline]
pub(crate) fn active() -> usize {
    *ACTIVE
}
"""
ACTIVE = b"crate::mutation::active()"


class Source:
    """A source file with its mutants, and the text with all of them in it."""

    def __init__(self, path, text, mutants):
        self.path = path
        self.text = text
        self.lines = [0]
        for at, byte in enumerate(text):
            if byte == 10:
                self.lines.append(at + 1)
        self.tree = RUST.parse(text)
        self.edits = collections.defaultdict(list)
        self.unknown = []
        for mutant in mutants:
            self.place(mutant)

    def offset(self, position):
        line_start = self.lines[position["line"] - 1]
        line = self.text[line_start:].split(b"\n", 1)[0].decode()
        return line_start + len(line[: position["column"] - 1].encode())

    def place(self, mutant):
        """Finds the syntax node that a mutant replaces."""
        start, end = (self.offset(mutant["span"][key]) for key in ("start", "end"))
        genre = mutant["genre"]
        node = self.tree.root_node.descendant_for_byte_range(start, end)
        kinds = {
            "FnValue": {"function_item"},
            "BinaryOperator": {"binary_expression", "compound_assignment_expr"},
            "UnaryOperator": {"unary_expression"},
            "MatchArm": {"match_arm"},
            "MatchArmGuard": {"match_arm"},
            "StructField": {"struct_expression"},
        }[genre]
        while node is not None and node.type not in kinds:
            node = node.parent
        if node is None:
            self.unknown.append(mutant)
            return
        if genre == "FnValue":
            node = node.child_by_field_name("body")
        key = (node.start_byte, node.end_byte, node.type)
        self.edits[key].append((mutant, start, end))

    def without(self, node, start, end, replacement):
        return self.text[node.start_byte : start] + replacement + self.text[end : node.end_byte]

    def written(self, living):
        """The file with the mutants in it, and the place of each in the new text."""
        out, places = bytearray(), []

        def emit(node, start, end):
            """Writes the text from `start` to `end`, and the children of a node inside it."""
            at = start
            for child in node.children:
                if child.start_byte < start or child.end_byte > end:
                    continue
                out.extend(self.text[at : child.start_byte])
                write(child)
                at = child.end_byte
            out.extend(self.text[at:end])

        def write(node):
            here = [
                edit
                for edit in self.edits.get((node.start_byte, node.end_byte, node.type), [])
                if edit[0]["id"] in living
            ]
            if not here:
                emit(node, node.start_byte, node.end_byte)
                return
            begin = len(out)
            {"block": body, "match_arm": arm}.get(node.type, expression)(node, here)
            places.append((begin, len(out), [edit[0]["id"] for edit in here]))

        def body(node, here):
            out.extend(b"{ ")
            for mutant, _, _ in here:
                begin = len(out)
                value = mutant["replacement"].encode()
                out.extend(b"if %s == %d { return %s; } " % (ACTIVE, mutant["id"], value))
                places.append((begin, len(out), [mutant["id"]]))
            emit(node, node.start_byte + 1, node.end_byte)

        def expression(node, here):
            out.extend(b"(match %s { " % ACTIVE)
            for mutant, start, end in here:
                begin = len(out)
                if mutant["genre"] == "StructField":
                    # Removed together with its comma.
                    end += len(re.match(rb"\s*,?", self.text[end:])[0])
                changed = self.without(node, start, end, mutant["replacement"].encode())
                out.extend(b"%dusize => %s, " % (mutant["id"], changed))
                places.append((begin, len(out), [mutant["id"]]))
            out.extend(b"_ => ")
            emit(node, node.start_byte, node.end_byte)
            out.extend(b" })")

        def arm(node, here):
            pattern = node.child_by_field_name("pattern")
            guard = pattern.child_by_field_name("condition")
            what_end = guard.prev_sibling.start_byte if guard else pattern.end_byte
            out.extend(self.text[node.start_byte : what_end])
            out.extend(b" if match %s { " % ACTIVE)
            for mutant, _, _ in here:
                value = b"false" if mutant["genre"] == "MatchArm" else mutant["replacement"].encode()
                out.extend(b"%dusize => %s, " % (mutant["id"], value))
            out.extend(b"_ => ")
            if guard:
                write(guard)
            else:
                out.extend(b"true")
            out.extend(b" }")
            # The rest of the arm follows its pattern.
            at = pattern.end_byte
            for child in node.children:
                if child.start_byte < pattern.end_byte:
                    continue
                out.extend(self.text[at : child.start_byte])
                write(child)
                at = child.end_byte
            out.extend(self.text[at : node.end_byte])

        emit(self.tree.root_node, 0, len(self.text))
        return bytes(out), places


def cargo(work, *arguments, **options):
    return subprocess.run(["cargo", *arguments], cwd=work, text=True, **options)


def messages(work, *arguments):
    """The messages of cargo, as dictionaries."""
    done = cargo(work, *arguments, "--message-format", "json", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return done, said


def listed(options):
    listing = cargo(ROOT, "mutants", "-p", "bevy_steer", "--list", "--json", stdout=subprocess.PIPE, check=True)
    mutants = [m for m in json.loads(listing.stdout) if re.search(options.only, m["name"])]
    if options.sample and options.sample < len(mutants):
        mutants = random.Random(options.seed).sample(mutants, options.sample)
    for number, mutant in enumerate(mutants, 1):
        mutant["id"] = number
    return mutants


def copy_of_the_workspace(work):
    shutil.rmtree(work, ignore_errors=True)
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True)
    for name in files.stdout.splitlines():
        if (ROOT / name).is_file():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, work / name)
    (work / CRATE / "src/mutation.rs").write_text(SWITCH)
    with open(work / CRATE / "src/lib.rs", "a", encoding="utf-8") as lib:
        lib.write("\nmod mutation;\n")


def mutants_with_errors(said, written):
    """The mutants with compiler errors in their text, and the errors outside of all mutants."""
    gone, elsewhere = set(), []
    for message in said:
        if message.get("reason") != "compiler-message" or message["message"]["level"] != "error":
            continue
        spans = [span for span in message["message"]["spans"] if span["is_primary"]]
        found = set()
        for span in spans:
            places = written.get(span["file_name"], ("", []))[1]
            around = [p for p in places if p[0] <= span["byte_start"] and span["byte_end"] <= p[1]]
            if around:
                found |= set(min(around, key=lambda p: p[1] - p[0])[2])
        gone |= found
        if spans and not found:
            elsewhere.append(message["message"]["rendered"])
    return gone, elsewhere


def build(options):
    work = options.folder / "copy"
    mutants = listed(options)
    copy_of_the_workspace(work)
    by_file = collections.defaultdict(list)
    for mutant in mutants:
        by_file[mutant["file"]].append(mutant)
    sources = [
        Source(path, (work / path).read_bytes(), those) for path, those in sorted(by_file.items())
    ]
    living = {m["id"] for m in mutants} - {m["id"] for s in sources for m in s.unknown}
    print(f"{len(mutants)} mutants in {len(sources)} files, {len(mutants) - len(living)} of them in unknown syntax")
    while True:
        written = {source.path: source.written(living) for source in sources}
        for path, (text, _) in written.items():
            (work / path).write_bytes(text)
        done, said = messages(work, "test", "-p", "bevy_steer", "--all-features", "--lib", "--no-run")
        if done.returncode == 0:
            break
        gone, elsewhere = mutants_with_errors(said, written)
        print(f"{len(gone)} do not compile", flush=True)
        if not gone & living:
            sys.exit("\n".join(elsewhere) or done.stderr)
        living -= gone
    print(f"{len(living)} mutants; compiling the tests", flush=True)
    done, said = messages(work, "test", "-p", "bevy_steer", "-p", "bevy_steer_tests", "--all-features", "--lib", "--tests", "--no-run")
    if done.returncode != 0:
        sys.exit(done.stderr)
    programs = {m["target"]["name"]: m["executable"] for m in said if m.get("executable")}
    # The next build of the crate overwrites them.
    (options.folder / "tests").mkdir(exist_ok=True)
    tests = {}
    for name, path in programs.items():
        program = str(shutil.copy(path, options.folder / "tests" / name))
        for module in modules(program):
            tests[f"{name} {module}"] = [program, module]
    (options.folder / "tests.json").write_text(json.dumps(tests, indent=1))
    kept = [{k: m[k] for k in ("id", "name", "file", "genre", "replacement")} for m in mutants if m["id"] in living]
    (options.folder / "mutants.json").write_text(json.dumps(kept, indent=1))
    print("built")


def modules(program):
    """The outermost modules of a program's tests, which are run one by one: quick ones first."""
    listing = subprocess.run([program, "--list", "--format", "terse"], text=True, stdout=subprocess.PIPE, check=True)
    return sorted({line.split("::")[0] + "::" for line in listing.stdout.splitlines() if "::" in line})


def outcome(work, test, mutant, limit):
    """The result of a module's tests, how long they took, and the test that failed."""
    environment = {**os.environ, "MUTANT": str(mutant), "RUST_TEST_THREADS": "1", "RUST_BACKTRACE": "0"}
    began = time.monotonic()
    try:
        done = subprocess.run(
            test, cwd=work / CRATE, env=environment, timeout=limit,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )
    except subprocess.TimeoutExpired:
        return "never ends", limit, ""
    failed = re.search(rb"test (\S+) \.\.\. FAILED", done.stdout)
    name = failed[1].decode() if failed else ""
    return ("passes" if done.returncode == 0 else "fails"), time.monotonic() - began, name


def run(options):
    work = options.folder / "copy"
    mutants = json.loads((options.folder / "mutants.json").read_text())
    tests = json.loads((options.folder / "tests.json").read_text())
    without = options.without.split(",")
    tests = {name: test for name, test in tests.items() if test[1].removesuffix("::") not in without}
    times = {}
    for name, test in tests.items():
        result, seconds, failed = outcome(work, test, 0, 1800)
        print(f"{name}: {result} in {seconds:.1f} s without mutants {failed}", flush=True)
        if result == "passes":
            times[name] = seconds
    order = sorted(times, key=times.get)
    log = options.folder / "outcomes.jsonl"
    known = {o["id"] for o in outcomes(options)} if options.resume else set()
    if not options.resume:
        log.write_text("")

    def ask(mutant):
        for name in order:
            result, _, failed = outcome(work, tests[name], mutant["id"], 30 + 20 * times[name])
            if result != "passes":
                return mutant, f"{name}::{failed}" if failed else f"{name} {result}"
        return mutant, None

    todo = [m for m in mutants if m["id"] not in known]
    # In random order, so that a run that is stopped early is a fair sample.
    random.Random(options.seed).shuffle(todo)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(log, "a", encoding="utf-8") as out:
        for mutant, caught in pool.map(ask, todo):
            out.write(json.dumps({"id": mutant["id"], "name": mutant["name"], "caught": caught}) + "\n")
            out.flush()
    report(options)


def outcomes(options):
    log = options.folder / "outcomes.jsonl"
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def report(options):
    known = outcomes(options)
    missed = [o["name"] for o in known if not o["caught"]]
    print("\n".join(missed))
    print(f"{len(known) - len(missed)} of {len(known)} caught ({1 - len(missed) / max(len(known), 1):.1%})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["build", "run", "report"])
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/tmp/mutants"), help="the folder for everything that is written")
    parser.add_argument("--only", default="", help="build: a regular expression for the names of mutants")
    parser.add_argument("--sample", type=int, help="build: only this many mutants, chosen at random")
    parser.add_argument("--seed", type=int, default=1, help="the seed of everything random")
    parser.add_argument("--without", default="determinism,hostile,rollback", help="run: modules of tests to leave out")
    parser.add_argument("--jobs", type=int, default=2, help="run: mutants at a time")
    parser.add_argument("--resume", action="store_true", help="run: only mutants without an outcome")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    {"build": build, "run": run, "report": report}[options.what](options)


if __name__ == "__main__":
    main()
