/**
 * What the specification asks of this server, sentence by sentence, with an id for tests to cite in their titles:
 * `[TASKS-7]`. `test/wire/requirements.test.ts` fails on an id that is unknown and on a MUST that nobody cites.
 * Duties of clients, of other transports and of features that this server does not have are left out.
 */
export interface Requirement {
  level: 'MUST' | 'SHOULD';
  link: string;
  /** As the specification has it, without its markup. */
  sentence: string;
  /** Why no test cites it: whose duty it is instead, or why it is not met. */
  open?: string;
}

const MCP = 'https://modelcontextprotocol.io/specification/2026-07-28';
const EXTENSION = 'https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md';

const page =
  (url: string) =>
  (level: Requirement['level'], section: string, sentence: string, open?: string): Requirement => ({
    level,
    link: `${url}#${section}`,
    sentence,
    ...(open === undefined ? {} : { open }),
  });

const tasks = page(EXTENSION);
const base = page(`${MCP}/basic`);
const versioning = page(`${MCP}/basic/versioning`);
const http = page(`${MCP}/basic/transports/streamable-http`);
const subscriptions = page(`${MCP}/basic/patterns/subscriptions`);
const cancellation = page(`${MCP}/basic/patterns/cancellation`);
const tools = page(`${MCP}/server/tools`);
const elicitation = page(`${MCP}/client/elicitation`);

const AUTHORS = 'The duty of who writes a tool: no tool of this template does it.';
const NO_HEADER_PARAMETERS = 'No tool of this template has an x-mcp-header parameter; the SDK checks them.';

export const requirements: Record<string, Requirement> = {
  // The Tasks extension.
  'TASKS-1': tasks(
    'MUST',
    'capability-negotiation',
    'A server MUST NOT return CreateTaskResult to a client that did not include the extension capability on its request, regardless of prior declarations.',
  ),
  'TASKS-2': tasks(
    'MUST',
    'capability-negotiation',
    'If a server is unable to service a request to a client that does not declare this extension capability without returning CreateTaskResult, the server MUST return an error with the code -32021 (Missing Required Client Capability), indicating the required extension in the error response',
  ),
  'TASKS-3': tasks(
    'SHOULD',
    'supported-methods',
    'implementations SHOULD be designed to accommodate additional request types in future revisions of this specification.',
    'Not met: a task is a tool call, in the record (tool) and in the state machines (one per tool).',
  ),
  'TASKS-4': tasks(
    'MUST',
    'polymorphic-results',
    'Servers MUST set resultType to "task" when returning a CreateTaskResult so that clients can distinguish it from a standard result.',
  ),
  'TASKS-5': tasks(
    'MUST',
    'polymorphic-results',
    'Servers MUST NOT set resultType to "task" on result types other than CreateTaskResult.',
  ),
  'TASKS-6': tasks('MUST', 'task-status', 'This status MUST NOT be used for non-JSON-RPC errors.'),
  'TASKS-7': tasks(
    'MUST',
    'task-creation',
    'A server MUST NOT return CreateTaskResult until the task is durably created — that is, until a tasks/get for the returned taskId would resolve.',
  ),
  'TASKS-8': tasks(
    'MUST',
    'task-creation',
    'In eventually-consistent environments, the server MUST wait for consistency before responding.',
  ),
  'TASKS-9': tasks(
    'SHOULD',
    'task-creation',
    'Server implementations that use multi round-trip requests in conjunction with task creation (for example, a tool that requires elicitation over InputRequiredResult before creating a task) SHOULD resolve all MRTR exchanges synchronously before responding with a CreateTaskResult.',
    'No tool of this template does it; the conformance suite proves it of a fixture.',
  ),
  'TASKS-10': tasks(
    'MUST',
    'response',
    'Upon receiving a tasks/get request, the server MUST check the status of the task and respond accordingly',
  ),
  'TASKS-11': tasks(
    'MUST',
    'response',
    'If the status is working, the server MUST return a a Task object with status working.',
  ),
  'TASKS-12': tasks(
    'MUST',
    'response',
    'If the status is input_required, the server MUST return a Task object with status input_required and an inputRequests field defined in Multi Round-Trip Requests.',
  ),
  'TASKS-13': tasks(
    'MUST',
    'response',
    'The inputRequests field MUST contain all outstanding requests from the server to the client that need to be fulfilled before the task can proceed.',
  ),
  'TASKS-14': tasks(
    'MUST',
    'response',
    'If the status is completed, the server MUST return a Task object with status completed and a result field containing the final result of the task.',
  ),
  'TASKS-15': tasks(
    'MUST',
    'response',
    'If the status is cancelled, the server MUST return a Task object with status cancelled.',
  ),
  'TASKS-16': tasks(
    'MUST',
    'response',
    'If the status is failed, the server MUST return a Task object with status failed and the error that occurred during execution.',
  ),
  'TASKS-17': tasks(
    'MUST',
    'response',
    'The resultType field MUST be set to "complete" on this object as it is the standard result shape for the tasks/get request.',
  ),
  'TASKS-18': tasks(
    'MUST',
    'task-update-requests',
    'Each request key in inputRequests MUST be unique over the lifetime of a single task.',
  ),
  'TASKS-19': tasks(
    'MUST',
    'task-update-requests',
    "A server MUST NOT reuse a key for a subsequent server-to-client request after a response for that key has been delivered, and MUST NOT use the same key to refer to two distinct requests over a task's lifetime.",
  ),
  'TASKS-20': tasks(
    'MUST',
    'response-1',
    'On success, the server MUST acknowledge the request with an empty result. The acknowledgement is eventually consistent',
  ),
  'TASKS-21': tasks(
    'SHOULD',
    'response-1',
    'Servers SHOULD return a JSON-RPC error if the taskId does not correspond to a known task. Clients SHOULD track',
  ),
  'TASKS-22': tasks(
    'SHOULD',
    'response-1',
    'A server SHOULD ignore any inputResponses responses mapped to a key that is not currently outstanding for the task — including keys that were never issued, keys that have already been answered, and keys whose corresponding request has been superseded.',
  ),
  'TASKS-23': tasks(
    'MUST',
    'response-1',
    'The resultType field MUST be set to "complete" on UpdateTaskResult as it is the standard result shape for the tasks/update request.',
  ),
  'TASKS-24': tasks(
    'MUST',
    'task-cancellation',
    'The notifications/cancelled notification MUST NOT be used for task cancellation.',
  ),
  'TASKS-25': tasks(
    'MUST',
    'response-2',
    'On success, the server MUST acknowledge the request with an empty result. Servers SHOULD',
  ),
  'TASKS-26': tasks(
    'SHOULD',
    'response-2',
    'Servers SHOULD return a JSON-RPC error if the taskId does not correspond to a known task. Cancellation processing',
  ),
  'TASKS-27': tasks(
    'MUST',
    'response-2',
    'The resultType field MUST be set to "complete" on CancelTaskResult as it is the standard result shape for the tasks/cancel request.',
  ),
  'TASKS-28': tasks(
    'MUST',
    'task-status-notifications',
    'In its acknowledgement notification, the server includes the list of task IDs it has agreed to send task status notifications for, if any',
  ),
  'TASKS-29': tasks(
    'MUST',
    'task-status-notifications',
    'If a client requests task status notifications but does not declare the io.modelcontextprotocol/tasks extension capability, the server MUST return a JSON-RPC error specifying the missing capabilities',
  ),
  'TASKS-30': tasks(
    'MUST',
    'task-status-notifications',
    'Each notification carries a complete DetailedTask for the current status, identical to what tasks/get would have returned at that moment.',
  ),
  'TASKS-31': tasks(
    'MUST',
    'task-status-notifications',
    'notifications/progress and notifications/message notifications MUST NOT be sent on the subscriptions/listen stream for a task',
  ),
  'TASKS-32': tasks(
    'MUST',
    'protocol-errors',
    'Servers MUST return standard JSON-RPC errors for the following protocol error cases',
  ),
  'TASKS-33': tasks('MUST', 'protocol-errors', 'Servers MUST return this error for tasks/get.'),
  'TASKS-34': tasks(
    'SHOULD',
    'protocol-errors',
    'Servers SHOULD return this error for tasks/update and tasks/cancel.',
  ),
  'TASKS-35': tasks(
    'MUST',
    'protocol-errors',
    'Servers MUST return this error for non-declaring clients requesting task notifications on subscriptions/listen.',
  ),
  'TASKS-36': tasks(
    'MUST',
    'protocol-errors',
    'Servers MUST return this error for non-declaring clients issuing tasks/get, tasks/update, and tasks/cancel requests.',
  ),
  'TASKS-37': tasks(
    'SHOULD',
    'protocol-errors',
    'Servers SHOULD provide informative error messages to describe the cause of errors.',
  ),
  'TASKS-38': tasks(
    'MUST',
    'task-execution-errors',
    'The tasks/get response SHOULD include a statusMessage field with diagnostic information about the failure, and MUST include the error field with the JSON-RPC error.',
  ),
  'TASKS-39': tasks(
    'MUST',
    'task-execution-errors',
    'Errors within the context of a protocol method result MUST use the completed status with the error details in the result field.',
  ),
  'TASKS-40': tasks(
    'MUST',
    'task-execution-errors',
    'If the underlying request resulted in a JSON-RPC error, the task uses failed status and the error field MUST contain that JSON-RPC error.',
  ),
  'TASKS-41': tasks(
    'MUST',
    'task-execution-errors',
    'If the request completed with a result (even if isError: true for tool results), the task uses completed status and the result field MUST contain that result.',
  ),
  'TASKS-42': tasks(
    'MUST',
    'security-considerations',
    'Servers MUST generate them with sufficient entropy that a third party cannot enumerate or guess them.',
  ),
  'TASKS-43': tasks(
    'MUST',
    'security-considerations',
    'Servers MUST perform authentication and authorization checks on each task-related request to ensure that the client has permission to access a task.',
  ),

  // Messages.
  'BASE-1': base(
    'MUST',
    'messages',
    'All messages between MCP clients and servers MUST follow the JSON-RPC 2.0 specification.',
  ),
  'BASE-2': base(
    'MUST',
    'result-responses',
    'Result responses MUST include the same ID as the request they correspond to.',
  ),
  'BASE-3': base(
    'MUST',
    'result-responses',
    'The result MUST include a resultType field to indicate the type of the result.',
  ),
  'BASE-4': base(
    'MUST',
    'resulttype',
    'The set of supported ResultType values MUST be created from the set defined in the core protocol and include any additional values of supported extensions that are advertised via capabilities.',
  ),
  'BASE-5': base(
    'MUST',
    'error-responses',
    'Error responses MUST include the same ID as the request they correspond to (except in error cases where the ID could not be read due a malformed request).',
  ),
  'BASE-6': base(
    'MUST',
    'error-responses',
    'Error responses MUST include an error field with a code and message.',
  ),
  'BASE-7': base('MUST', 'error-responses', 'Error codes MUST be integers.'),
  'BASE-8': base(
    'SHOULD',
    'error-codes',
    'new implementations SHOULD NOT use codes from this sub-range at all.',
    'Not met: the SDK answers 413 and 415 with -32000; both are about HTTP, where the status says it.',
  ),
  'BASE-9': base(
    'MUST',
    'error-codes',
    'Implementations MUST NOT emit any code from this sub-range that is not defined by this specification and MUST use defined codes only with their specified meanings.',
  ),
  'BASE-10': base(
    'MUST',
    'error-codes',
    'Implementations of this protocol version MUST NOT emit these codes',
  ),
  'BASE-11': base('MUST', 'notifications', 'The receiver MUST NOT send a response.'),
  'BASE-12': base(
    'MUST',
    'statelessness',
    'Servers MUST NOT rely on prior requests over the same connection to establish context (e.g., capabilities, protocol version, client identity).',
  ),
  'BASE-13': base(
    'MUST',
    'statelessness',
    'State that needs to span multiple requests (e.g., long-running tasks, application-level handles) MUST be referenced by an explicit identifier the client passes on each request.',
  ),
  'BASE-14': base(
    'SHOULD',
    'statelessness',
    'Servers SHOULD NOT require that a client reuse the same connection or process to perform related operations.',
  ),
  'BASE-15': base(
    'MUST',
    'schema-validation',
    'Schemas MUST be valid according to their declared or default dialect',
  ),
  'BASE-16': base(
    'MUST',
    'meta',
    'A request missing any required field is malformed; the server MUST reject it with JSON-RPC error code -32602 (Invalid params). On HTTP, the response status MUST be 400 Bad Request.',
  ),
  'BASE-17': base('MUST', 'meta', 'A server MUST NOT rely on capabilities the client has not declared.'),
  'BASE-18': base(
    'MUST',
    'meta',
    'If processing a request requires a capability the client did not include in io.modelcontextprotocol/clientCapabilities, the server MUST return a MissingRequiredClientCapabilityError (-32021) whose data.requiredCapabilities lists the missing capabilities. On HTTP, the response status MUST be 400 Bad Request.',
  ),
  'BASE-19': base(
    'SHOULD',
    'meta',
    "Servers SHOULD include the following io.modelcontextprotocol/* field in every result's _meta",
  ),
  'BASE-20': base(
    'MUST',
    'meta',
    'On notifications delivered via a subscriptions/listen stream, the server MUST include io.modelcontextprotocol/subscriptionId in _meta so the client can correlate the notification with the originating subscription request.',
  ),

  // Versions and extensions.
  'VERSION-1': versioning(
    'MUST',
    'protocol-version-negotiation',
    'If the server does not implement the requested version (whether the version is unknown to the server, or is a known version the server has chosen not to support), it MUST respond with an UnsupportedProtocolVersionError listing the versions it does support',
  ),
  'VERSION-2': versioning('MUST', 'protocol-version-negotiation', 'Servers MUST implement server/discover.'),
  'VERSION-3': versioning(
    'MUST',
    'extension-negotiation',
    'If one party supports an extension but the other does not, the supporting party MUST either revert to core protocol behavior or reject the request with an appropriate error.',
  ),

  // Streamable HTTP.
  'HTTP-1': http(
    'MUST',
    'streamable-http',
    'The server MUST provide a single HTTP endpoint path (hereafter referred to as the MCP endpoint) that supports POST.',
  ),
  'HTTP-2': http(
    'MUST',
    'security-&-endpoint',
    'Servers MUST validate the Origin header on all incoming connections to prevent DNS rebinding attacks.',
  ),
  'HTTP-3': http(
    'MUST',
    'security-&-endpoint',
    'If the Origin header is present and invalid, servers MUST respond with HTTP 403 Forbidden.',
  ),
  'HTTP-4': http(
    'SHOULD',
    'security-&-endpoint',
    'When running locally, servers SHOULD bind only to localhost (127.0.0.1) rather than all network interfaces (0.0.0.0).',
  ),
  'HTTP-5': http(
    'MUST',
    'sending-messages',
    'If the server accepts it, the server MUST return HTTP status code 202 Accepted with no body.',
  ),
  'HTTP-6': http(
    'MUST',
    'sending-messages',
    'If the server cannot accept it, it MUST return an HTTP error status code',
  ),
  'HTTP-7': http(
    'MUST',
    'sending-messages',
    'If the body is a JSON-RPC request, the server MUST return either Content-Type: application/json (a single JSON object) or Content-Type: text/event-stream (an SSE response stream).',
  ),
  'HTTP-8': http(
    'MUST',
    'receiving-messages',
    'These notifications MUST relate to the originating client request.',
  ),
  'HTTP-9': http(
    'MUST',
    'receiving-messages',
    'The server MUST NOT send independent JSON-RPC requests on this stream.',
  ),
  'HTTP-10': http('SHOULD', 'receiving-messages', 'The final JSON-RPC response SHOULD terminate the stream.'),
  'HTTP-11': http(
    'SHOULD',
    'receiving-messages',
    'When initiating an SSE stream, servers SHOULD include the X-Accel-Buffering: no header in the HTTP response.',
  ),
  'HTTP-12': http(
    'MUST',
    'cancellation',
    'Closing the SSE response stream MUST be treated by the server as cancellation of that request.',
  ),
  'HTTP-13': http(
    'MUST',
    'cancellation',
    'The server SHOULD stop work on the cancelled request as soon as practical and MUST NOT send any further messages for it.',
  ),
  'HTTP-14': http(
    'MUST',
    'protocol-version-header',
    'If the values do not match, the server MUST reject the request with 400 Bad Request and a HeaderMismatch JSON-RPC error',
  ),
  'HTTP-15': http(
    'MUST',
    'protocol-version-header',
    'it MUST respond with 400 Bad Request and an UnsupportedProtocolVersionError listing its supported versions.',
  ),
  'HTTP-16': http(
    'MUST',
    'protocol-version-header',
    'If the server does not implement the requested RPC method, it MUST respond with 404 Not Found and a JSON-RPC error with code -32601 (Method not found).',
  ),
  'HTTP-17': http(
    'MUST',
    'value-encoding',
    'In particular, servers MUST decode an encoded Mcp-Name or Mcp-Param-{Name} value before comparing it to the corresponding request body value during Server Validation.',
  ),
  'HTTP-18': http(
    'MUST',
    'server-behavior-for-custom-headers',
    'Servers MUST reject requests with a recognized Mcp-Param-{Name} header that contains invalid characters',
    NO_HEADER_PARAMETERS,
  ),
  'HTTP-19': http(
    'MUST',
    'server-behavior-for-custom-headers',
    'Any server that processes the message body MUST validate that encoded header values, after decoding if Base64-encoded, match the corresponding values in the request body.',
  ),
  'HTTP-20': http(
    'MUST',
    'case-sensitivity',
    'Clients and servers MUST use case-insensitive comparisons for header names.',
  ),
  'HTTP-21': http(
    'MUST',
    'server-validation',
    'Servers that process the request body MUST reject requests where the values specified in the headers do not match the corresponding values in the request body.',
  ),
  'HTTP-22': http(
    'MUST',
    'server-validation',
    'When rejecting a request due to header validation failure, servers MUST return HTTP status 400 Bad Request and MUST include a JSON-RPC error response using the following error code',
  ),
  'HTTP-23': http(
    'SHOULD',
    'server-validation',
    'When validating integer parameter values, servers SHOULD compare the header value and the body value numerically rather than as strings',
    NO_HEADER_PARAMETERS,
  ),
  'HTTP-24': http(
    'SHOULD',
    'earlier-streamable-http-revisions',
    'HTTP GET or DELETE to the MCP endpoint: respond with 405 Method Not Allowed.',
  ),
  'HTTP-25': http(
    'SHOULD',
    'earlier-streamable-http-revisions',
    'An Mcp-Session-Id header on a request: ignore it, and do not mint or echo session IDs.',
  ),
  'HTTP-26': http(
    'SHOULD',
    'earlier-streamable-http-revisions',
    'A Last-Event-ID header: ignore it; streams are not resumable.',
  ),
  'HTTP-27': http(
    'SHOULD',
    'security-&-endpoint',
    'Servers SHOULD implement proper authentication for all connections.',
    'Proven where authentication is, not on the wire of an open endpoint.',
  ),

  // Subscriptions and cancellation.
  'SUB-1': subscriptions(
    'MUST',
    'opening-a-stream',
    'The server MUST NOT send notification types the client has not explicitly requested.',
  ),
  'SUB-2': subscriptions(
    'MUST',
    'acknowledgment',
    "The server MUST send notifications/subscriptions/acknowledged as the first message carrying the subscription's ID in _meta under io.modelcontextprotocol/subscriptionId, and MUST NOT send any notification on the subscription before it.",
  ),
  'SUB-3': subscriptions(
    'MUST',
    'acknowledgment',
    'The notifications field in the acknowledgment reflects the subset the server agreed to honor.',
  ),
  'SUB-4': subscriptions(
    'MUST',
    'receiving-notifications',
    'All notifications delivered on the stream carry io.modelcontextprotocol/subscriptionId in _meta, identifying the subscriptions/listen request that opened the stream.',
  ),
  'SUB-5': subscriptions(
    'MUST',
    'multiple-concurrent-subscriptions',
    'every notification on the stream carries that ID in io.modelcontextprotocol/subscriptionId so clients can demultiplex them.',
  ),
  'SUB-6': subscriptions(
    'SHOULD',
    'graceful-closure',
    'it SHOULD respond to the original subscriptions/listen request with a completion result before closing the stream.',
  ),
  'CANCEL-1': cancellation(
    'MUST',
    'cancellation',
    'A server MUST send notifications/cancelled referencing a subscriptions/listen request ID when it tears down that subscription stream',
    'Not met: the page it refers to, Subscriptions, has the stream end with a result, and so does the SDK. A client cannot be told both, and only the result says that the end was graceful.',
  ),
  'CANCEL-2': cancellation(
    'MUST',
    'cancellation',
    'Servers MUST NOT send notifications/cancelled for any other purpose.',
  ),
  'CANCEL-3': cancellation(
    'MUST',
    'transport-specific-cancellation',
    'The server MUST treat a client disconnect as cancellation of that request.',
  ),

  // Tools.
  'TOOLS-1': tools('MUST', 'capabilities', 'Servers that support tools MUST declare the tools capability'),
  'TOOLS-2': tools(
    'MUST',
    'capabilities',
    'Servers that declare the tools capability MUST respond to tools/list requests with the set of tools currently available to the requesting client.',
  ),
  'TOOLS-3': tools(
    'MUST',
    'capabilities',
    'MUST NOT vary per-connection or as a side effect of other requests on the connection.',
  ),
  'TOOLS-4': tools('SHOULD', 'capabilities', 'Servers SHOULD return tools in a deterministic order'),
  'TOOLS-5': tools('MUST', 'tool', 'MUST be a valid JSON Schema object (not null)'),
  'TOOLS-6': tools(
    'SHOULD',
    'tool-names',
    'Tool names SHOULD be between 1 and 128 characters in length (inclusive).',
  ),
  'TOOLS-7': tools(
    'SHOULD',
    'tool-names',
    'The following SHOULD be the only allowed characters: uppercase and lowercase ASCII letters (A-Z, a-z), digits (0-9), underscore (_), hyphen (-), and dot (.)',
  ),
  'TOOLS-8': tools(
    'SHOULD',
    'structured-content',
    'For backwards compatibility, a tool that returns structured content SHOULD also return the serialized JSON in a TextContent block.',
    'Not met: the text says the same in words, which is what a model without structured content can use.',
  ),
  'TOOLS-9': tools(
    'MUST',
    'output-schema',
    'Servers MUST provide structured results that conform to this schema.',
  ),
  'TOOLS-10': tools('MUST', 'security-considerations', 'Validate all tool inputs'),
  'TOOLS-11': tools('MUST', 'security-considerations', 'Implement proper access controls'),
  'TOOLS-12': tools(
    'MUST',
    'security-considerations',
    'Rate limit tool invocations',
    'API Gateway limits requests per account and Region; a limit per caller is not the wire’s to prove.',
  ),
  'TOOLS-13': tools('MUST', 'security-considerations', 'Sanitize tool outputs', AUTHORS),
  'TOOLS-14': tools(
    'MUST',
    'error-handling',
    'Protocol Errors indicate issues with the request structure itself that models are less likely to be able to fix',
  ),
  'TOOLS-15': tools(
    'MUST',
    'error-handling',
    'Tool Execution Errors contain actionable feedback that language models can use to self-correct and retry with adjusted parameters',
  ),

  // Elicitation.
  'ELICIT-1': elicitation(
    'MUST',
    'user-interaction-model',
    'Servers MUST NOT use form mode elicitation to request sensitive information such as passwords, API keys, access tokens, or payment credentials',
  ),
  'ELICIT-2': elicitation(
    'MUST',
    'capabilities',
    'Servers MUST NOT send elicitation requests with modes that are not supported by the client.',
  ),
  'ELICIT-3': elicitation(
    'MUST',
    'elicitation-requests',
    'All elicitation requests MUST include the following parameters',
  ),
  'ELICIT-4': elicitation(
    'MUST',
    'form-mode-elicitation-requests',
    'Form mode elicitation requests MUST either specify mode: "form" or omit the mode field, and include these additional parameters',
  ),
  'ELICIT-5': elicitation(
    'MUST',
    'url-mode-elicitation-requests',
    'The url parameter MUST contain a valid URL.',
    AUTHORS,
  ),
  'ELICIT-6': elicitation(
    'MUST',
    'statefulness',
    'State storage MUST be protected against unauthorized access',
  ),
  'ELICIT-7': elicitation(
    'MUST',
    'error-handling',
    'MUST handle cases where the user declines or cancels the elicitation, or where the client fails to process the request.',
  ),
  'ELICIT-8': elicitation(
    'MUST',
    'security-considerations',
    'Servers MUST bind elicitation requests to the client and user identity',
  ),
  'ELICIT-9': elicitation(
    'MUST',
    'safe-url-handling',
    'MUST NOT include sensitive information about the end-user, including credentials, personally identifiable information, etc., in the URL sent to the client in a URL elicitation request.',
    AUTHORS,
  ),
  'ELICIT-10': elicitation(
    'MUST',
    'identifying-the-user',
    'Servers MUST NOT rely on client-provided user identification without server verification, as this can be forged.',
  ),
  'ELICIT-11': elicitation(
    'SHOULD',
    'form-mode-security',
    'Servers SHOULD validate received data matches the requested schema',
  ),
};
