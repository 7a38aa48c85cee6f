"""Logs of a real LiteLLM proxy in a folder: callback rows, generic_api batches, OTLP batches, and what each client got.

Run with the interpreter of an environment that holds the packages of requirements.txt beside this file:

    python traffic.py FOLDER MODE          MODE: v1 | v1_request_span | v1_events | v1_details | v2 | v2_phoenix

Everything stays on loopback: a mock upstream that answers by the word in the last user message, a receiver that plays
generic_api endpoint and OTLP collector, the proxy, and one client that sends every case over every route. Files: `callback.jsonl`,
`generic_api-N.json`, `otlp_*.jsonl` (as the collector's file exporter writes it), `sent.json` (one entry per call: case, route,
stream, and the texts that the client saw).
"""

import base64
import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

KEY = "sk-loopback-only"
MODES = {
    "v1": {},
    "v1_request_span": {"USE_OTEL_LITELLM_REQUEST_SPAN": "true"},
    "v1_events": {
        "LITELLM_OTEL_INTEGRATION_ENABLE_EVENTS": "true",
        "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "EVENT_ONLY",
    },
    "v1_details": {
        "LITELLM_OTEL_INTEGRATION_ENABLE_EVENTS": "true",
        "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "EVENT_ONLY",
        "OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental",
    },
    "v2": {"LITELLM_OTEL_V2": "true", "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "span_only"},
    "v2_phoenix": {"LITELLM_OTEL_V2": "true", "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "span_only"},
}
TOOL = {
    "type": "function",
    "function": {
        "name": "reserve_kiln",
        "description": "Reserve the pottery kiln.",
        "parameters": {
            "type": "object",
            "properties": {"day": {"type": "string"}, "hours": {"type": "integer"}},
            "required": ["day"],
        },
    },
}
CARD = {
    "type": "json_schema",
    "json_schema": {
        "name": "glaze_card",
        "schema": {"type": "object", "properties": {"glaze": {"type": "string"}}, "required": ["glaze"]},
    },
}
THOUGHT = "The potter asks about cooling. Slow is safer, so name twelve hours."
ANSWER = "Let it cool for twelve hours with the lid shut."
CALL = {"id": "call_k1", "type": "function", "function": {"name": "reserve_kiln", "arguments": '{"day": "Tuesday"}'}}

CASES: dict[str, dict[str, Any]] = {
    "clean": {"message": {"content": ANSWER, "reasoning": THOUGHT}},
    "oldname": {"message": {"content": ANSWER, "reasoning_content": THOUGHT}},
    "bothnames": {"message": {"content": ANSWER, "reasoning": THOUGHT, "reasoning_content": THOUGHT}},
    "thinkleak": {"message": {"content": f"<think>\n{THOUGHT}\n</think>\n\n{ANSWER}", "reasoning": None}},
    "thinkbare": {"message": {"content": f"<think>\n{THOUGHT}\n</think>\n\n{ANSWER}"}},
    "closer": {"message": {"content": f"{THOUGHT}\n</think>\n\n{ANSWER}", "reasoning": None}},
    "toolcall": {
        "message": {"content": None, "reasoning": "Book it.", "tool_calls": [CALL]},
        "finish": "tool_calls",
        "request": {"tools": [TOOL], "tool_choice": "auto"},
    },
    "rawcall": {
        "message": {
            "content": '<tool_call>\n{"name": "reserve_kiln", "arguments": {"day": "Tuesday"}}\n</tool_call>',
            "reasoning": None,
        },
        "request": {"tools": [TOOL]},
    },
    "toolresult": {
        "message": {"content": "The kiln is yours on Tuesday.", "reasoning": None},
        "request": {"tools": [TOOL]},
        "history": [
            {"role": "user", "content": "Reserve the kiln."},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "call_k1", "content": '{"ok": true}'},
        ],
    },
    "card": {"message": {"content": '{"glaze": "celadon"}', "reasoning": None}, "request": {"response_format": CARD}},
    "length": {
        "message": {"content": None, "reasoning": "Count the shelves one by one, and"},
        "finish": "length",
        "request": {"max_tokens": 8},
    },
    "stopped": {
        "message": {"content": "Cone six", "reasoning": None},
        "stop_reason": "##",
        "request": {"stop": ["##"]},
    },
    "script": {"message": {"content": "窯は十二時間かけて冷まします。🏺", "reasoning": "ゆっくり冷ます。"}},
    "parts": {
        "message": {"content": ANSWER, "reasoning": THOUGHT},
        "content": [{"type": "text", "text": "How long? "}],
    },
    "twochoices": {
        "message": {"content": ANSWER, "reasoning": THOUGHT},
        "second": {"content": "Overnight is enough.", "reasoning": "Short."},
        "request": {"n": 2},
    },
    "broken": {"status": 500},
    "refused": {"status": 400},
    "cut": {"message": {"content": ANSWER * 4, "reasoning": None}, "cut_after": 6},
    "errorinside": {"message": {"content": ANSWER * 4, "reasoning": None}, "error_after": 6},
    "leave": {"message": {"content": ANSWER * 20, "reasoning": None}, "pause": 0.05, "leave_after": 400},
}
ROUTES = ("chat", "completions", "responses", "messages")
ONLY_CHAT = {"toolresult", "twochoices", "parts", "bothnames", "oldname"}
ONLY_STREAM = {"cut", "errorinside", "leave"}


# ---- mock upstream -------------------------------------------------------------------------------------------------


def case_of(body: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(body.get("messages") or body.get("prompt") or body.get("input"))
    return next((CASES[word] for word in CASES if f"case:{word};" in text), CASES["clean"])


def pieces(text: str | None) -> list[str]:
    """Pieces of seven characters, so that tags are split across chunks."""
    return textwrap.wrap(text, 7, drop_whitespace=False, replace_whitespace=False) if text else []


class Upstream(BaseHTTPRequestHandler):
    """Answers like vLLM 0.33: `reasoning` beside `content`, a fingerprint, `stop_reason`."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        case = case_of(body)
        if "status" in case:
            return self.send_json(case["status"], {"error": {"message": "kiln not ready", "type": "mock"}})
        route = self.path.rsplit("/v1/", 1)[-1]
        answer = {"chat/completions": self.chat, "completions": self.text, "responses": self.items}[route]
        plain, events = answer(case, body)
        return self.send_events(case, events) if body.get("stream") else self.send_json(200, plain)

    def send_json(self, status: int, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def send_events(self, case: dict[str, Any], events: list[str]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for number, event in enumerate(events):
            if number == case.get("cut_after"):
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            if number == case.get("error_after"):
                event = 'data: {"error": {"message": "engine lost", "type": "InternalServerError", "code": 500}}\n\n'
            try:
                self.wfile.write(event.encode())
                self.wfile.flush()
            except OSError:
                return
            time.sleep(case.get("pause", 0))

    def chat(self, case: dict[str, Any], body: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
        head = {"id": f"chatcmpl-{os.urandom(8).hex()}", "created": int(time.time()), "model": body["model"]}
        messages = [case["message"], *([case["second"]] if body.get("n") == 2 else [])]
        finish, stop = case.get("finish", "stop"), case.get("stop_reason")
        usage = {"prompt_tokens": 12, "completion_tokens": 30, "total_tokens": 42}
        plain = {
            **head,
            "object": "chat.completion",
            "choices": [
                {"index": i, "message": {"role": "assistant", **m}, "finish_reason": finish, "stop_reason": stop}
                for i, m in enumerate(messages)
            ],
            "usage": usage,
            "system_fingerprint": "vllm-0.33.0-tp1-0badcafe",
        }
        chunks: list[dict[str, Any]] = []
        for i, message in enumerate(messages):
            deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
            for name in ("reasoning", "reasoning_content"):
                if name == "reasoning_content" and message.get("reasoning"):
                    continue
                for piece in pieces(message.get(name)):
                    both = {"reasoning_content": piece} if message.get("reasoning_content") else {}
                    deltas.append({name: piece, **both})
            deltas += [{"content": piece} for piece in pieces(message.get("content"))]
            for call in message.get("tool_calls", []):
                function = call["function"]
                deltas.append({"tool_calls": [{"index": 0, **call, "function": {**function, "arguments": ""}}]})
                deltas += [
                    {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}
                    for piece in pieces(function["arguments"])
                ]
            chunks += [{"index": i, "delta": delta, "finish_reason": None} for delta in deltas]
            chunks.append({"index": i, "delta": {}, "finish_reason": finish, "stop_reason": stop})
        events = [{**head, "object": "chat.completion.chunk", "choices": [chunk]} for chunk in chunks]
        events.append({**head, "object": "chat.completion.chunk", "choices": [], "usage": usage})
        return plain, [f"data: {json.dumps(event)}\n\n" for event in events] + ["data: [DONE]\n\n"]

    def text(self, case: dict[str, Any], body: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
        head = {"id": f"cmpl-{os.urandom(8).hex()}", "created": int(time.time()), "model": body["model"]}
        head["object"] = "text_completion"
        content = case["message"].get("content") or ""
        end = {"index": 0, "finish_reason": case.get("finish", "stop"), "logprobs": None}
        usage = {"prompt_tokens": 12, "completion_tokens": 30, "total_tokens": 42}
        events = [{**head, "choices": [{**end, "text": p, "finish_reason": None}]} for p in pieces(content)]
        events.append({**head, "choices": [{**end, "text": ""}], "usage": usage})
        plain = {**head, "choices": [{**end, "text": content}], "usage": usage}
        return plain, [f"data: {json.dumps(event)}\n\n" for event in events] + ["data: [DONE]\n\n"]

    def items(self, case: dict[str, Any], body: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
        message, items = case["message"], []
        thought = message.get("reasoning") or message.get("reasoning_content")
        if thought:
            items.append(
                {
                    "type": "reasoning",
                    "id": "rs_1",
                    "summary": [],
                    "content": [{"type": "reasoning_text", "text": thought}],
                }
            )
        if message.get("content"):
            part = {"type": "output_text", "text": message["content"], "annotations": []}
            items.append(
                {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
            )
        for call in message.get("tool_calls", []):
            items.append(
                {
                    "type": "function_call",
                    "id": "fc_1",
                    "call_id": call["id"],
                    "status": "completed",
                    **call["function"],
                }
            )
        cut = case.get("finish") == "length"
        done = {
            "id": f"resp_{os.urandom(8).hex()}",
            "object": "response",
            "created_at": int(time.time()),
            "model": body["model"],
            "status": "incomplete" if cut else "completed",
            "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
            "output": items,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": body.get("tools") or [],
            "usage": {
                "input_tokens": 12,
                "output_tokens": 30,
                "total_tokens": 42,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens_details": {"reasoning_tokens": 0},
            },
        }
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": {**done, "status": "in_progress", "output": []}}
        ]
        for index, item in enumerate(items):
            place = {"output_index": index, "item_id": item["id"]}
            events.append({"type": "response.output_item.added", "output_index": index, "item": item})
            if item["type"] == "message":
                text = item["content"][0]["text"]  # type: ignore[index]
                events += [
                    {"type": "response.output_text.delta", **place, "content_index": 0, "delta": p}
                    for p in pieces(text)
                ]
                events.append({"type": "response.output_text.done", **place, "content_index": 0, "text": text})
            events.append({"type": "response.output_item.done", "output_index": index, "item": item})
        events.append({"type": f"response.{done['status']}", "response": done})
        for number, event in enumerate(events):
            event["sequence_number"] = number
        return done, [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]


# ---- receiver of logs ----------------------------------------------------------------------------------------------


class Receiver(BaseHTTPRequestHandler):
    """Writes what arrives: JSON bodies as they are, OTLP protobuf as one JSON line a batch."""

    folder: Path
    lock = threading.Lock()
    batches = 0

    def log_message(self, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with Receiver.lock:
            if self.path.startswith("/generic"):
                (Receiver.folder / f"generic_api-{Receiver.batches:03}.json").write_bytes(body)
                Receiver.batches += 1
            elif self.path.endswith(("/v1/traces", "/v1/logs")):
                signal = "logs" if self.path.endswith("/v1/logs") else "spans"
                name = "otlp_phoenix.jsonl" if self.path.startswith("/phoenix") else f"otlp_{signal}.jsonl"
                with (Receiver.folder / name).open("a") as out:
                    out.write(json.dumps(otlp_json(body, self.headers, signal)) + "\n")
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()


def otlp_json(body: bytes, headers: Any, signal: str) -> dict[str, Any]:
    """One batch as the collector's file exporter writes it: hex ids, enums as numbers, int64 as strings."""
    import gzip

    from google.protobuf.json_format import MessageToDict
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    if headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    kind = ExportLogsServiceRequest if signal == "logs" else ExportTraceServiceRequest
    batch: dict[str, Any] = MessageToDict(kind.FromString(body), use_integers_for_enums=True)
    for resource in [*batch.get("resourceSpans", []), *batch.get("resourceLogs", [])]:
        for scope in [*resource.get("scopeSpans", []), *resource.get("scopeLogs", [])]:
            for one in [*scope.get("spans", []), *scope.get("logRecords", [])]:
                for key in ("traceId", "spanId", "parentSpanId"):
                    if one.get(key):
                        one[key] = base64.b64decode(one[key]).hex()
    return batch


# ---- proxy ---------------------------------------------------------------------------------------------------------

CALLBACK = """
import os
from litellm.integrations.custom_logger import CustomLogger
from litellm.litellm_core_utils.safe_json_dumps import safe_dumps

class Rows(CustomLogger):
    def write(self, kwargs):
        payload = kwargs.get("standard_logging_object")
        if payload:
            with open(os.environ["ROWS"], "a") as out:
                out.write(safe_dumps(payload) + "\\n")

    async def async_log_success_event(self, kwargs, response_obj, start_time, end_time):
        self.write(kwargs)

    async def async_log_failure_event(self, kwargs, response_obj, start_time, end_time):
        self.write(kwargs)

rows = Rows()
"""
GUARDRAIL = '''
from litellm.integrations.custom_guardrail import CustomGuardrail

class Remedy(CustomGuardrail):
    """A remediation layer that only reports: what it would have done to each answer."""

    async def async_post_call_success_hook(self, data, user_api_key_dict, response):
        text = str(response)
        action = "strip" if "think>" in text else "none"
        self.add_standard_logging_guardrail_information_to_request_data(
            guardrail_json_response={"action": action, "extra_tokens": 0},
            request_data=data,
            guardrail_status="guardrail_intervened" if action == "strip" else "success",
        )
        return response
'''


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def serve(handler: type[BaseHTTPRequestHandler]) -> int:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return int(server.server_address[1])


def configuration(upstream: int, mode: str) -> str:
    callbacks = ["rows_callback.rows", "generic_api", "arize_phoenix" if mode == "v2_phoenix" else "otel"]
    if mode == "v2_phoenix":
        callbacks.append("otel")
    deployment = {"model": "hosted_vllm/qwen3-kiln", "api_base": f"http://127.0.0.1:{upstream}/v1", "api_key": "none"}
    return json.dumps(
        {
            "model_list": [{"model_name": "kiln", "litellm_params": deployment, "model_info": {"id": "dep-kiln-a"}}],
            "litellm_settings": {"callbacks": callbacks, "num_retries": 0, "request_timeout": 20},
            "guardrails": [
                {
                    "guardrail_name": "output-remedy",
                    "litellm_params": {"guardrail": "remedy_hook.Remedy", "mode": "post_call", "default_on": True},
                }
            ],
            "general_settings": {"master_key": KEY},
        }
    )


@contextlib.contextmanager
def proxy(folder: Path, mode: str):  # type: ignore[no-untyped-def]
    """The port of a proxy that answers; ended, with its queues flushed, on leaving."""
    Receiver.folder = folder
    upstream, receiver, port = serve(Upstream), serve(Receiver), free_port()
    (folder / "rows_callback.py").write_text(CALLBACK)
    (folder / "remedy_hook.py").write_text(GUARDRAIL)
    (folder / "config.yaml").write_text(configuration(upstream, mode))
    collector = f"http://127.0.0.1:{receiver}"
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(folder),
        "ROWS": str(folder / "callback.jsonl"),
        "GENERIC_LOGGER_ENDPOINT": f"{collector}/generic",
        "OTEL_EXPORTER": "otlp_http",
        "OTEL_ENDPOINT": f"{collector}/v1/traces",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_TELEMETRY": "False",
        "DEFAULT_FLUSH_INTERVAL_SECONDS": "1",
        "OTEL_BSP_SCHEDULE_DELAY": "500",
        "NO_PROXY": "*",
        **MODES[mode],
    }
    if mode == "v2_phoenix":
        environment["PHOENIX_COLLECTOR_HTTP_ENDPOINT"] = f"{collector}/phoenix/v1/traces"
        environment["PHOENIX_API_KEY"] = "none"
    command = [
        str(Path(sys.executable).parent / "litellm"),
        "--config",
        "config.yaml",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    with (folder / "proxy.log").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True)
        try:
            wait_until_ready(port, process)
            yield port
            time.sleep(7)
        finally:
            os.killpg(process.pid, signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(15)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def wait_until_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(240):
        if process.poll() is not None:
            raise SystemExit("the proxy ended while starting; see proxy.log")
        with (
            contextlib.suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health/liveliness", timeout=2),
        ):
            return
        time.sleep(0.5)
    raise SystemExit("the proxy did not answer within two minutes; see proxy.log")


# ---- client --------------------------------------------------------------------------------------------------------


def request_of(word: str, route: str, *, stream: bool) -> tuple[str, dict[str, Any]]:
    case = CASES[word]
    text = f"How long must the kiln cool? case:{word};"
    extra = dict(case.get("request", {}))
    body: dict[str, Any] = {"model": "kiln", "stream": stream}
    if route == "chat":
        content = [*case["content"], {"type": "text", "text": text}] if "content" in case else text
        body["messages"] = [*case.get("history", []), {"role": "user", "content": content}]
        body["metadata"] = {"engine": "vllm", "chat_template_version": "ct-kiln-2", "session_id": f"visit-{word}"}
        return "/v1/chat/completions", body | extra
    extra.pop("tools", None), extra.pop("tool_choice", None), extra.pop("response_format", None)
    if route == "completions":
        return "/v1/completions", body | {"prompt": text} | extra
    limit = extra.pop("max_tokens", 64)
    stop = extra.pop("stop", None)
    if route == "responses":
        return "/v1/responses", body | {"input": text, "max_output_tokens": limit}
    sequences = {"stop_sequences": stop} if stop else {}
    return "/v1/messages", body | {"messages": [{"role": "user", "content": text}], "max_tokens": limit} | sequences


def send(port: int, path: str, body: dict[str, Any], leave_after: int | None) -> tuple[int, str]:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.read(leave_after).decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        return 0, type(error).__name__


def main(folder: Path, mode: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    sent = []
    with proxy(folder, mode) as port:
        for route in ROUTES:
            for word, case in CASES.items():
                if route != "chat" and word in ONLY_CHAT:
                    continue
                for stream in (True,) if word in ONLY_STREAM else (False, True):
                    path, body = request_of(word, route, stream=stream)
                    status, got = send(port, path, body, case.get("leave_after"))
                    sent.append({"case": word, "route": route, "stream": stream, "status": status, "got": got})
    (folder / "sent.json").write_text(json.dumps(sent, ensure_ascii=False))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
