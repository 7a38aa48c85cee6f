"""What nearly every log line holds: a search for any part of USUAL would stop at every line."""

USUAL = (
    '{"id": "chatcmpl-0123456789abcdef-8901-4567-2345", "trace_id": "", "call_type": "acompletion", "cache_hit": null, "stream": true, '
    '"status": "success", "status_fields": {"llm_api_status": "success", "guardrail_status": "not_run"}, "custom_llm_provider": '
    '"hosted_vllm", "saved_cache_cost": 0.0, "startTime": 1796043303.88259, "endTime": 1796043304.146684, "completionStartTime": 1.0, '
    '"model": "hosted_vllm/Qwen/Qwen3-32B-Instruct", "metadata": {"user_api_key_hash": "litellm_proxy_master_key", '
    '"user_api_key_max_budget": null, "user_api_key_org_alias": null, "requester_ip_address": "127.0.0.1", "user_agent": '
    '"python-httpx/0.28.1", "requester_metadata": {"headers": {"host": "gateway:4000", "accept": "*/*", "accept-encoding": '
    '"gzip, deflate", "content-type": "application/json", "user-agent": "OpenAI/Python 2.8.0"}}, "applied_guardrails": [], '
    '"usage_object": {"completion_tokens": 48, "prompt_tokens": 43, "total_tokens": 91, "completion_tokens_details": null}}, '
    '"response_cost": 0.000012, "cost_breakdown": {"input_cost": 2e-05}, "request_tags": ["User-Agent: python"], "end_user": "", '
    '"api_base": "http://10.0.0.7:8000/v1/chat/completions", "model_group": "my-model", "messages": [{"role": "system", "content": '
    '"You are a helpful assistant."}], "response": {"choices": [{"finish_reason": "stop", "index": 0, "message": {"content": "", '
    '"role": "assistant", "tool_calls": [{"function": {"arguments": "{\\"city\\": \\"Seoul\\", \\"days\\": 3, \\"ok\\": true}", "name": '
    '"get_weather"}, "id": "call_a1B2c3D4e5F6g7H8i9J0", "type": "function"}], "function_call": null, "reasoning_content": "", '
    '"thinking": "", "provider_specific_fields": {"refusal": null}}, "logprobs": null}], "object": "chat.completion"}, '
    '"model_parameters": {"temperature": 0.6, "tools": [{"type": "function", "function": {"description": "", "parameters": {"type": '
    '"object", "properties": {"number": {"type": "string"}}, "required": ["number"]}}}], "tool_choice": "auto", "response_format": '
    '{"type": "json_schema"}}, "hidden_params": {}, "model_map_information": {"model_map_value": {"input_cost_per_token_above_128k": '
    'null, "output_cost_per_image_batches": null, "supports_function_calling": null}}, "error_information": {}} '
    "think about the user and what they should know first; here is the answer.\\n\\n1. **Use** it (or not). I'm sure it's fine: don't "
    "worry!\\n- So there\\n\\n## Part\\n| a | b |\\n|---|---|"
)
