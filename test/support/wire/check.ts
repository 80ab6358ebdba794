import assert from 'node:assert/strict';
import {
  isInputRequiredResult,
  isSpecType,
  parseJSONRPCMessage,
  specTypeSchemas,
  type SpecTypeName,
} from '@modelcontextprotocol/client';
import {
  CallToolResultV2Schema,
  CancelTaskResultV2Schema,
  GetTaskResultV2Schema,
  hasTaskClientCapabilityV2,
  isCreateTaskResultV2,
  isDetailedTaskV2,
  isTaskStatusNotificationV2,
  TaskSubscriptionAcknowledgedNotificationsV2Schema,
  ToolV2Schema,
  UpdateTaskResultV2Schema,
} from '@modelcontextprotocol/ext-tasks/core/v2';

/* eslint-disable @typescript-eslint/no-explicit-any -- what is checked here may be anything */
export interface Rpc {
  id?: any;
  method?: any;
  params?: any;
  result?: any;
  error?: any;
}
/* eslint-enable @typescript-eslint/no-explicit-any */

/** Status codes that the transport ties to error codes. */
const STATUS_OF_ERROR: Record<number, number> = {
  [-32700]: 400,
  [-32600]: 400,
  [-32601]: 404,
  [-32020]: 400,
  [-32021]: 400,
  [-32022]: 400,
};

const META = 'io.modelcontextprotocol/';
const versionIn = (request: Rpc): unknown => request.params?._meta?.[`${META}protocolVersion`];

/** Whether a request speaks revision 2026-07-28, so that its answer is held against it. */
export const isModern = (request: Rpc): boolean => versionIn(request) === '2026-07-28';

/** Nothing of the server's inside may show: a stack frame, an ARN, a path of the bundle. */
export const checkNoLeak = (text: string): void => {
  assert.doesNotMatch(text, /(\n|\\n)\s+at .+:\d+:\d+|arn:aws|node_modules|file:\/\/|\/var\/task/);
};

/** One message of an answer, by the official client's own parser and by what the request asked for. */
export const checkResponse = (request: Rpc, response: Rpc, status = 200): void => {
  parseJSONRPCMessage(response);
  assert.equal(response.id, request.id, 'a response carries the id of its request');
  if (response.error !== undefined) return checkError(response.error, isModern(request) ? status : undefined);
  assert.equal(status, 200);
  if (isModern(request)) checkResult(request, response.result);
};

const checkError = ({ code, message, data }: Rpc['error'], status?: number): void => {
  assert.ok(Number.isInteger(code), 'an error code is an integer');
  assert.ok(typeof message === 'string' && message.length > 0, 'an error has a message');
  assert.ok(code !== -32002 && code !== -32042, 'codes of earlier revisions are not used');
  if (code === -32021) assert.ok(Object.keys(data.requiredCapabilities).length > 0);
  if (code === -32022) assert.ok(Array.isArray(data.supported) && typeof data.requested === 'string');
  if (status !== undefined && STATUS_OF_ERROR[code]) assert.equal(status, STATUS_OF_ERROR[code]);
};

const checkResult = (request: Rpc, result: Rpc['result']): void => {
  assert.equal(typeof result.resultType, 'string', 'a result has a resultType');
  const info = result._meta?.[`${META}serverInfo`];
  assert.ok(info?.name && info?.version, 'a result says which server it is from');
  if (result.resultType === 'task') return checkCreated(request, result);
  if (result.resultType === 'input_required') return assert.ok(isInputRequiredResult(result));
  assert.equal(result.resultType, 'complete');
  CHECKS[request.method]?.(result, request);
};

const checkCreated = ({ method, params }: Rpc, result: Rpc['result']): void => {
  assert.equal(method, 'tools/call', 'only tools/call becomes a task');
  assert.ok(hasTaskClientCapabilityV2(params), 'no task for a client that did not declare the extension');
  assert.ok(isCreateTaskResultV2(result));
  for (const member of ['task', 'ttl', 'content', 'result', 'error', 'inputRequests'])
    assert.ok(!(member in result), member);
};

/** What tasks/get and notifications/tasks have in common: a task with what its state carries, and nothing else. */
const checkTask = (task: Rpc['result']): void => {
  assert.ok(isDetailedTaskV2(task), `not a task: ${JSON.stringify(task)}`);
  const carries = { input_required: 'inputRequests', completed: 'result', failed: 'error' }[
    task.status as string
  ];
  for (const member of ['inputRequests', 'result', 'error']) {
    assert.equal(member in task, member === carries, `${task.status} task and its ${member}`);
  }
  if (task.status === 'completed') {
    CallToolResultV2Schema.parse(task.result);
    assert.equal(task.result.resultType, 'complete', 'the result is what tools/call would have answered');
  }
  if (task.status === 'failed') {
    checkError(task.error);
    assert.ok(task.statusMessage, 'a failed task says why');
  }
  if (task.status === 'input_required') {
    assert.ok(Object.keys(task.inputRequests).length > 0);
    for (const { method, params } of Object.values<Rpc>(task.inputRequests)) {
      assert.ok(['elicitation/create', 'sampling/createMessage', 'roots/list'].includes(method));
      if (method === 'elicitation/create') assert.ok(['form', 'url'].includes(params.mode ?? 'form'));
    }
  }
};

const isEmpty = (result: object): void => {
  assert.deepEqual(Object.keys(result).sort(), ['_meta', 'resultType'], 'an acknowledgement is empty');
};

const checkSpec = (name: SpecTypeName, value: unknown): void => {
  assert.ok(name in specTypeSchemas && isSpecType[name](value), `not a ${name}: ${JSON.stringify(value)}`);
};

const CHECKS: Record<string, (result: Rpc['result'], request: Rpc) => void> = {
  'server/discover': (result) => checkSpec('DiscoverResult', result),
  'tools/list': (result) => {
    checkSpec('ListToolsResult', result);
    for (const tool of result.tools) ToolV2Schema.parse(tool);
  },
  'tools/call': (result) => {
    CallToolResultV2Schema.parse(result);
    assert.ok(!('taskId' in result));
  },
  'tasks/get': (result, { params }) => {
    GetTaskResultV2Schema.parse(result);
    checkTask(result);
    assert.equal(result.taskId, params.taskId);
  },
  'tasks/update': (result) => {
    UpdateTaskResultV2Schema.parse(result);
    isEmpty(result);
  },
  'tasks/cancel': (result) => {
    CancelTaskResultV2Schema.parse(result);
    isEmpty(result);
  },
  'subscriptions/listen': (result, { id }) => {
    assert.equal(result._meta[`${META}subscriptionId`], id);
    isEmpty(result);
  },
};

/** Checks the messages of one listen stream in the order in which they come. */
export const listenChecker = (request: Rpc): ((message: Rpc) => void) => {
  const asked = request.params.notifications;
  let agreed: string[] | undefined;
  let ended = false;
  return (message) => {
    assert.ok(!ended, 'nothing comes after the result');
    if (message.id !== undefined) {
      assert.ok(agreed, 'the acknowledgement comes first');
      ended = true;
      return checkResponse(request, message);
    }
    parseJSONRPCMessage(message);
    const { method, params } = message;
    assert.equal(params._meta[`${META}subscriptionId`], request.id, 'a notification names its subscription');
    if (agreed === undefined) {
      assert.equal(method, 'notifications/subscriptions/acknowledged', 'the acknowledgement comes first');
      TaskSubscriptionAcknowledgedNotificationsV2Schema.parse(params.notifications);
      agreed = params.notifications.taskIds ?? [];
      for (const taskId of agreed!) assert.ok(asked.taskIds.includes(taskId), 'only what was asked for');
      return;
    }
    assert.equal(method, 'notifications/tasks', 'nothing but what was asked for');
    assert.ok(isTaskStatusNotificationV2({ jsonrpc: '2.0', ...message }));
    assert.ok(agreed.includes(params.taskId), 'only tasks that were agreed to');
    const { _meta, ...task } = params;
    assert.ok(_meta);
    assert.ok(!('resultType' in task));
    checkTask(task);
  };
};
