#!/usr/bin/env python3
"""`harrier web` as a browser meets it, over HTTP: who gets an answer, what is answered, and how it ends.

usage: explorer_test.py PROGRAMS [unittest's arguments]    PROGRAMS is tests/e2e/programs.cpp, built
In the environment, for the tests of what else can be gone through: HARRIER, DEFINITION (server.dcj), CAF_BANK, SAMPLES (ETESTs)
"""
import http.client
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = ""


class Explorer:
    """A running `harrier web`; ended at the end of the `with`."""

    def __init__(self, *words, command=None, **how):
        self.process = subprocess.Popen(command or [PROGRAMS, "web", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})\b", line)
        if not found:
            raise AssertionError(f"no address: {line!r} {self.process.stderr.read()}")
        self.port, self.token = int(found[1]), found[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=30)

    def request(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        data = None if body is None else body.encode()
        if data is not None:
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def post(self, what, body, **headers):
        headers = {"X_Harrier_Token": self.token, "Content_Type": "application/json", **headers}
        return self.request("POST", f"/api/{what}", body if isinstance(body, str) else json.dumps(body), **headers)

    def ask(self, what, schedule=(), **more):
        status, text = self.post(what, {"schedule": list(schedule), **more})
        assert status == 200, text
        return json.loads(text)

    def lines(self, what, schedule=(), **more):
        status, text = self.post(what, {"schedule": list(schedule), **more})
        assert status == 200, text
        return [json.loads(line) for line in text.splitlines()]

    def deliver(self, schedule, message):
        """The schedule with the first message that reads like it delivered, too."""
        pending = self.ask("visit", schedule)["state"]["pending"]
        return [*schedule, {"id": next(p["id"] for p in pending if p["can"] and p["message"].startswith(message))}]


def deliverable(state):
    return [p["message"] for p in state["pending"] if p["can"]]


class WhoGetsAnAnswer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.it = Explorer("deadlock")

    @classmethod
    def tearDownClass(cls):
        cls.it.__exit__()

    def page(self, **headers):
        return self.it.request("GET", f"/?token={self.it.token}", **headers)

    def test_the_page_is_for_who_has_the_token(self):
        self.assertEqual(self.page()[0], 200)

    def test_no_token_and_a_stale_one_are_refused_in_words(self):
        for path in ["/", "/?token=", "/?token=" + "0" * 32, "/?token=" + self.it.token[:-1]]:
            status, text = self.it.request("GET", path)
            self.assertEqual(status, 403)
            self.assertIn("Open the address that it has printed in its terminal", text)

    def test_a_stale_token_of_a_request_is_refused_in_words(self):
        status, text = self.it.post("visit", {"schedule": []}, X_Harrier_Token="0" * 32)
        self.assertEqual(status, 403)
        self.assertIn("started anew", json.loads(text)["error"])

    def test_a_token_in_the_address_of_a_request_is_none(self):
        status, _ = self.it.request("POST", f"/api/visit?token={self.it.token}", "{}", Content_Type="application/json")
        self.assertEqual(status, 403)

    def test_another_host_is_refused_which_a_rebound_name_would_be(self):
        for host in ["evil.example", f"evil.example:{self.it.port}", "127.0.0.1", f"127.0.0.1:{self.it.port}.evil.example"]:
            self.assertEqual(self.page(Host=host)[0], 403, host)
        self.assertEqual(self.page(Host=f"localhost:{self.it.port}")[0], 200)

    def test_another_origin_is_refused(self):
        own = f"http://127.0.0.1:{self.it.port}"
        for origin in ["http://evil.example", "null", "http://127.0.0.1", own.replace("http:", "https:")]:
            self.assertEqual(self.it.post("visit", {"schedule": []}, Origin=origin)[0], 403, origin)
        self.assertEqual(self.it.post("visit", {"schedule": []}, Origin=own)[0], 200)

    def test_another_site_is_refused_even_without_an_origin(self):
        self.assertEqual(self.page(Sec_Fetch_Site="cross-site")[0], 403)
        self.assertEqual(self.page(Sec_Fetch_Site="none")[0], 200)

    def test_a_form_of_another_page_could_not_say_that_it_is_json(self):
        self.assertEqual(self.it.post("visit", {"schedule": []}, Content_Type="text/plain")[0], 415)

    def test_other_paths_and_methods_lead_nowhere(self):
        self.assertEqual(self.it.request("GET", "/etc/passwd")[0], 404)
        self.assertEqual(self.it.request("GET", "/api/visit")[0], 405)
        self.assertEqual(self.it.post("explode", {"schedule": []})[0], 404)

    def test_what_is_no_request_is_refused_in_words(self):
        for body in ["", "{", "[]", "null", '{"schedule": 7}', '{"schedule": [7]}', '{"schedule": [{"id": 7}]}', "{}",
                     '{"schedule": [{"id": "1.0", "code": "x"}]}', '{"schedule": ' + "[" * 100000, '{"schedule": [], "from": "x"}']:
            status, text = self.it.post("visit", body)
            self.assertEqual(status, 400, body[:50])
            self.assertTrue(json.loads(text)["error"], body[:50])

    def test_bytes_that_are_no_http_do_no_harm(self):
        import socket
        with socket.create_connection(("127.0.0.1", self.it.port)) as raw:
            raw.sendall(b"\x00\xff\r\n\r\n" * 100)
            raw.recv(1000)
        self.assertEqual(self.page()[0], 200)


class WhatIsAnswered(unittest.TestCase):
    def test_the_beginning_says_what_can_be_delivered_and_who_is_there(self):
        with Explorer("deadlock") as it:
            seen = it.ask("visit")
            self.assertEqual(seen["steps"], [])
            self.assertEqual(len(deliverable(seen["state"])), 4)
            self.assertEqual([a["name"] for a in seen["state"]["actors"]], ["driver", "peer_0", "peer_1"])

    def test_a_delivery_leads_to_the_next_state(self):
        with Explorer("add-then-fail") as it:
            seen = it.ask("visit", it.deliver([], "add"))
            self.assertEqual([s["message"] for s in seen["steps"]], ["add(1)"])
            self.assertEqual(deliverable(seen["state"]), ["fail()"])

    def test_only_the_steps_that_are_asked_for_are_told(self):
        with Explorer("deadlock") as it:
            both = it.deliver(it.deliver([], "meet"), "meet")
            self.assertEqual(len(it.ask("visit", both)["steps"]), 2)
            self.assertEqual(len(it.ask("visit", both, **{"from": 1})["steps"]), 1)

    def test_what_waits_says_for_what(self):
        with Explorer("deadlock") as it:
            schedule = []
            for message in ["meet", "meet", "go", "go"]:
                schedule = it.deliver(schedule, message)
            state = it.ask("visit", schedule)["state"]
            self.assertEqual([f["kind"] for f in state["findings"]], ["deadlock"])
            self.assertIn("waits for the reply to peer_1.answer()", state["actors"][1]["mode"])
            self.assertTrue(all("waits for a reply" in p["why"] for p in state["pending"]))

    def test_a_step_that_draws_tells_all_its_outcomes(self):
        with Explorer("choices") as it:
            schedule = it.deliver([], "choose")
            outcomes = it.ask("visit", schedule)["outcomes"]
            self.assertEqual(sorted(o["choices"] for o in outcomes), [[a, b] for a in range(3) for b in range(4)])
            schedule[0]["code"] = next(o["code"] for o in outcomes if o["choices"] == [2, 3])
            seen = it.ask("visit", schedule)
            self.assertEqual(seen["steps"][0]["choices"], [2, 3])
            self.assertIn("not both at their highest", seen["state"]["findings"][0]["message"])

    def test_a_fault_is_an_outcome(self):
        with Explorer("deadlock", "--lose", "1") as it:
            schedule = it.deliver(it.deliver([], "meet"), "go")
            outcomes = it.ask("visit", schedule)["outcomes"]
            self.assertEqual([o.get("faults", []) for o in outcomes], [[], ["answer() to peer_1 is lost"]])

    def test_what_is_not_possible_is_said(self):
        with Explorer("deadlock") as it:
            for bad, why in [({"id": "7.0"}, "was not sent"), ({"id": "x"}, "was not sent"), ({"id": "start", "code": 5}, "")]:
                seen = it.ask("visit", [bad])
                self.assertEqual(seen["impossible"]["step"], 0)
                self.assertIn(why, seen["impossible"]["why"])
            once = it.deliver([], "meet")
            self.assertIn("was delivered before", it.ask("visit", once * 2)["impossible"]["why"])

    def test_texts_of_the_program_come_as_they_are(self):
        with Explorer("odd-texts") as it:
            self.assertTrue(any("bell" in m for m in deliverable(it.ask("visit")["state"])))

    def test_two_tabs_do_not_know_of_each_other(self):
        with Explorer("deadlock") as it:
            one = it.deliver([], "meet")
            other = it.deliver([], "go")
            self.assertEqual(it.ask("visit", one)["steps"][0]["message"][:4], "meet")
            self.assertEqual(it.ask("visit", other)["steps"][0]["message"], "go()")

    def test_all_orders_can_be_visited(self):
        with Explorer("long-search", "messages=4") as it:
            lines = it.lines("visit-all", depth=10, most=1000)
            nodes = [n for line in lines for n in line.get("nodes", [])]
            self.assertEqual(lines[-1], {"visited": len(nodes), "complete": True})
            self.assertEqual(sum(n["parent"] == 0 for n in nodes), 4)
            self.assertTrue(all(n["parent"] < i for i, n in enumerate(nodes, 1)))

    def test_visiting_ends_where_it_is_told_to(self):
        with Explorer("long-search") as it:
            lines = it.lines("visit-all", depth=2, most=50)
            self.assertEqual(lines[-1], {"visited": 50, "complete": False})


class SurvivesTheProgram(unittest.TestCase):
    def crashed(self, how, *options):
        with Explorer("harm", f"how={how}", *options) as it:
            schedule = it.deliver(it.deliver([], "turn"), "second")
            seen = it.ask("visit", schedule)
            again = it.ask("visit")
            self.assertEqual(len(deliverable(again["state"])), 2, "it goes on")
            self.assertNotIn("state", seen)
            return seen["crashed"]

    def test_a_crash_in_a_step(self):
        crash = self.crashed("abort")
        self.assertEqual((crash["step"], crash["what"], crash["last"]["message"]), (1, "ended the process: SIGABRT", "second()"))

    def test_a_step_that_ends_the_process(self):
        self.assertIn("exit status 0", self.crashed("exit")["what"])

    def test_a_loop_in_a_step(self):
        crash = self.crashed("loop", "--handler-limit", "0.3")
        self.assertEqual((crash["kind"], crash["what"]), ("nontermination", "did not end within 0.3 s"))

    def test_an_exception_in_a_step_is_a_finding_like_any_other(self):
        with Explorer("harm", "how=exception") as it:
            state = it.ask("visit", it.deliver(it.deliver([], "turn"), "second"))["state"]
            self.assertEqual([f["kind"] for f in state["findings"]], ["exception"])
            self.assertIn("failed", state["end"])

    def test_a_crash_outside_handlers(self):
        with Explorer("outside", "where=inspect", "how=abort") as it:
            seen = it.ask("visit", it.deliver(it.deliver([], "unlock"), "knock"))
            self.assertIn("SIGABRT", seen["crashed"]["what"])

    def test_a_crash_while_all_is_visited_leaves_what_was_visited(self):
        with Explorer("harm", "how=abort") as it:
            lines = it.lines("visit-all", depth=5, most=100)
            self.assertEqual(lines[-1]["crashed"]["what"], "ended the process: SIGABRT")

    def test_a_program_that_cannot_be_begun_is_said_before_a_page_is_served(self):
        for program in ["driver-crashes", "driver-throws", "cannot-be-made"]:
            done = subprocess.run([PROGRAMS, "web", program], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 4, program)
            self.assertNotIn("http", done.stdout)


class Searches(unittest.TestCase):
    def found(self, it, schedule, **options):
        return it.lines("search", schedule, options={"engine": "optimal", **options})[-1]["found"]

    def test_from_the_beginning_and_its_finding_can_be_gone_to(self):
        with Explorer("deadlock") as it:
            found = self.found(it, [])
            self.assertEqual([f["kind"] for f in found["findings"]], ["deadlock"])
            seen = it.ask("visit", found["findings"][0]["at"])
            self.assertEqual(seen["state"]["findings"][0]["message"], found["findings"][0]["message"])

    def test_from_where_it_is_and_the_whole_way_there_is_told(self):
        with Explorer("deadlock") as it:
            here = it.deliver(it.deliver([], "meet"), "meet")
            at = self.found(it, here)["findings"][0]["at"]
            self.assertEqual([s["id"] for s in at[:2]], [s["id"] for s in here])
            self.assertEqual(it.ask("visit", at)["state"]["findings"][0]["kind"], "deadlock")

    def test_where_the_finding_is_out_of_reach_nothing_is_found(self):
        with Explorer("deadlock") as it:
            found = self.found(it, it.deliver([], "go"))
            self.assertEqual((found["findings"], found["exhausted"]), ([], True))

    def test_a_crash_is_a_finding_that_can_be_gone_to(self):
        with Explorer("harm", "how=abort") as it:
            found = self.found(it, [])
            self.assertEqual([f["kind"] for f in found["findings"]], ["crash"])
            self.assertIn("SIGABRT", it.ask("visit", found["findings"][0]["at"])["crashed"]["what"])

    def test_takes_no_option_that_writes_files(self):
        with Explorer("deadlock") as it, tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "x"
            lines = it.lines("search", options={"checkpoint": str(file)})
            self.assertIn("no option checkpoint", lines[-1]["error"])
            self.assertFalse(file.exists())

    def test_a_wrong_option_is_said(self):
        with Explorer("deadlock") as it:
            self.assertIn("engine", it.lines("search", options={"engine": "steam"})[-1]["error"])


class SavedTraces(unittest.TestCase):
    def replayed(self, it, schedule, **more):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "saved.json"
            file.write_text(it.ask("trace", schedule, **more)["trace"])
            return subprocess.run([PROGRAMS, "replay", str(file)], capture_output=True, text=True, timeout=60)

    def test_of_a_finding_replays_to_it(self):
        with Explorer("deadlock") as it:
            schedule = []
            for message in ["meet", "meet", "go", "go"]:
                schedule = it.deliver(schedule, message)
            done = self.replayed(it, schedule)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("Found again deadlock", done.stdout)

    def test_of_a_crash_replays_to_it(self):
        with Explorer("harm", "how=abort") as it:
            done = self.replayed(it, it.deliver(it.deliver([], "turn"), "second"))
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("Found again crash", done.stdout)

    def test_with_draws_replays_with_them(self):
        with Explorer("choices") as it:
            schedule = it.deliver([], "choose")
            outcomes = it.ask("visit", schedule)["outcomes"]
            schedule[0]["code"] = next(o["code"] for o in outcomes if o["choices"] == [2, 3])
            done = self.replayed(it, schedule)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("not both at their highest", done.stdout)

    def test_of_nothing_is_followed_to_its_end(self):
        with Explorer("deadlock") as it:
            done = self.replayed(it, it.deliver([], "meet"))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("followed to its end", done.stdout)


class WhatElseCanBeGoneThrough(unittest.TestCase):
    def saved_and_replayed(self, command, deliveries):
        """Delivers so many messages, each the first that can be; what they were, and the replay of that."""
        with Explorer(command=command) as it, tempfile.TemporaryDirectory() as folder:
            schedule = []
            for _ in range(deliveries):
                schedule = it.deliver(schedule, "")
            file = pathlib.Path(folder) / "saved.json"
            file.write_text(it.ask("trace", schedule)["trace"])
            steps = [f"{s['receiver']}.{s['message']}" for s in it.ask("visit", schedule)["steps"]]
            return steps, subprocess.run([os.environ["HARRIER"], "replay", str(file)], capture_output=True, text=True, timeout=60)

    @unittest.skipUnless("DEFINITION" in os.environ, "protocols are not built")
    def test_a_definition_of_a_protocol(self):
        harrier, definition = os.environ["HARRIER"], os.environ["DEFINITION"]
        steps, done = self.saved_and_replayed(
            [harrier, "protocol", "explore", definition, "--session", "read-twice", "--on", "definition", "--web"], 3)
        self.assertEqual(steps[0], "read-twice_0.client SEND Set TO server")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("followed to its end", done.stdout)

    @unittest.skipUnless("CAF_BANK" in os.environ, "the adapter to CAF is not built")
    def test_an_executable_file_that_uses_caf(self):
        steps, done = self.saved_and_replayed([os.environ["HARRIER"], "caf", os.environ["CAF_BANK"], "--web"], 6)
        self.assertEqual((steps[0], steps[-1]), ("account_0.starts()", "employer_2.pay(50)"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("followed to its end", done.stdout)

    @unittest.skipUnless("SAMPLES" in os.environ, "tests of GoogleTest's are not built")
    def test_an_etest_whose_trace_its_own_file_replays(self):
        samples, test = os.environ["SAMPLES"], "Fails.WithALostUpdate"
        with Explorer(command=[os.environ["HARRIER"], "web", samples, test]) as it:
            schedule = []
            while can := [p for p in it.ask("visit", schedule)["state"]["pending"] if p["can"]]:
                schedule.append({"id": can[0]["id"]})
            seen = it.ask("visit", schedule)
            self.assertIn("somebody's money is gone", seen["state"]["findings"][0]["message"])
            self.assertRegex(seen["steps"][0]["source"], r"samples\.cpp:\d+$")
            self.assertNotIn("handler", seen["steps"][0])
            trace = it.ask("trace", schedule)["trace"]
            page = it.request("GET", f"/?token={it.token}")[1]
            self.assertIn(f"{samples} --gtest_filter={test} --harrier_replay=", page)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "it.json")
            file.write_text(trace)
            done = subprocess.run([samples, f"--gtest_filter={test}", f"--harrier_replay={file}"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("somebody's money is gone", done.stdout)

    @unittest.skipUnless("SAMPLES" in os.environ, "tests of GoogleTest's are not built")
    def test_no_etest_of_that_name_and_no_option_that_a_test_says_itself(self):
        def refused(*words):
            done = subprocess.run([os.environ["HARRIER"], "web", os.environ["SAMPLES"], *words], capture_output=True, text=True, timeout=60)
            return done.returncode, done.stderr
        status, why = refused("No.Such")
        self.assertEqual(status, 4)
        self.assertIn("has not run No.Such as an ETEST", why)
        for several in ["Fails.*", "Fails.WithALostUpdate:Fails.WithFinally", "Fails.?"]:
            status, why = refused(several)
            self.assertEqual(status, 2)
            self.assertIn("by its full name", why)
        status, why = refused("Fails.WithALostUpdate", "--lose", "1")
        self.assertEqual(status, 2)
        self.assertIn("--lose: a test says that itself", why)

    def test_of_others_it_says_how(self):
        done = subprocess.run([PROGRAMS, "web", "./bank"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("caf FILE --web", done.stderr)


class HowItEnds(unittest.TestCase):
    def ended_by(self, number):
        with Explorer("deadlock") as it:
            it.process.send_signal(number)
            it.process.communicate(timeout=30)
            return it.process.returncode

    def test_by_interrupts_and_hang_ups(self):
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            self.assertEqual(self.ended_by(number), 0, number)

    def test_with_a_handler_that_never_ends_under_way(self):
        with Explorer("harm", "how=sleep") as it:
            schedule = it.deliver(it.deliver([], "turn"), "second")
            connection = http.client.HTTPConnection("127.0.0.1", it.port, timeout=60)
            connection.request("POST", "/api/visit", json.dumps({"schedule": schedule}),
                               {"X-Harrier-Token": it.token, "Content-Type": "application/json"})
            it.process.send_signal(signal.SIGINT)
            it.process.communicate(timeout=5)
            self.assertEqual(it.process.returncode, 0)
            connection.close()

    def test_with_its_terminal(self):
        there, here = pty.openpty()
        it = subprocess.Popen([PROGRAMS, "web", "deadlock"], stdin=here, stdout=here, stderr=here, start_new_session=True)
        os.close(here)
        line = b""
        while b"token=" not in line:
            line += os.read(there, 1000)
        os.close(there)
        try:
            self.assertEqual(it.wait(timeout=30), 0)
        finally:
            it.kill()

    def test_on_a_port_that_is_taken_it_says_so(self):
        with Explorer("deadlock") as it:
            done = subprocess.run([PROGRAMS, "web", "deadlock", "--port", str(it.port)], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2)
            self.assertIn("cannot listen on port", done.stderr)


if __name__ == "__main__":
    PROGRAMS = sys.argv.pop(1)
    unittest.main()
