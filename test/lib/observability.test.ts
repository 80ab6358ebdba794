import { beforeAll, describe, expect, test } from '@jest/globals';
import { defineTaskTool } from '../../lambdas/protocol/define-tool.ts';
import * as z from 'zod';
import { tools } from '../../tools/index.ts';
import { workflows } from '../../tools/workflows.ts';
import { synthApp, synthStack } from '../support/synth.ts';
import type { Resource, Synthesized } from '../support/template.ts';

const alarmsOf = ({ ofType }: Synthesized): [string, Resource['Properties']][] =>
  ofType('AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [
    id.replace(/^ObservabilityAlarms(.*)[0-9A-F]{8}$/, '$1'),
    Properties,
  ]);

let prod: Synthesized;
beforeAll(() => {
  prod = synthApp({ stage: 'prod', alarmEmail: 'oncall@example.com' });
});

describe('alarms', () => {
  test('watch what an operator has to know of', () => {
    expect(
      alarmsOf(prod)
        .map(([name]) => name)
        .sort(),
    ).toEqual([
      'APIfails',
      'Deadletters',
      'Endpointfails',
      'Endpointthrottled',
      'Questionstuck',
      'Reconcilerfails',
      'Tasksfail',
      'Taskshadtobereconciled',
      'Tasksrunoutoftime',
      'Tasktablethrottled',
      'Workflowsthrottled',
    ]);
  });

  test('say what they mean, sleep when nothing happens, and report both ways', () => {
    const [[topic]] = prod.ofType('AWS::SNS::Topic') as [[string, Resource]];
    for (const [, alarm] of alarmsOf(prod)) {
      expect(alarm['AlarmDescription']).toMatch(/^.{30,}\.$/);
      expect(alarm).toMatchObject({
        TreatMissingData: 'notBreaching',
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        AlarmActions: [{ Ref: topic }],
        OKActions: [{ Ref: topic }],
      });
    }
    expect(prod.ofType('AWS::SNS::Subscription')[0]?.[1].Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'oncall@example.com',
    });
  });

  test('the dead letters wake somebody at the first', () => {
    const [queue] = prod.ofType('AWS::SQS::Queue')[0]!;
    expect(Object.fromEntries(alarmsOf(prod))['Deadletters']).toMatchObject({
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [queue, 'QueueName'] } }],
      Threshold: 1,
      EvaluationPeriods: 1,
    });
  });

  test('report to a topic that exists already, if they are told', () => {
    const alarmTopicArn = 'arn:aws:sns:eu-central-1:123456789012:oncall';
    const given = synthApp({ stage: 'prod', alarmTopicArn });
    expect(given.ofType('AWS::SNS::Topic')).toEqual([]);
    for (const [, alarm] of alarmsOf(given)) expect(alarm['AlarmActions']).toEqual([alarmTopicArn]);
  });

  test('none looks at more than ten metrics, however many tools there are', () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `tool_${index}`,
        defineTaskTool({
          ...{ title: 'T', description: 'D', inputSchema: z.object({ seconds: z.int() }) },
          ...{ ttlMs: 60_000, pollIntervalMs: 1_000, asks: [] },
        }),
      ]),
    );
    const graphs = Object.fromEntries(Object.keys(many).map((name) => [name, workflows.countdown]));
    const alarms = alarmsOf(synthStack({ tools: many, workflows: graphs }, { stage: 'prod' }));

    for (const [, { Metrics = [] }] of alarms) {
      const stats = Metrics.filter(({ MetricStat }: { MetricStat?: unknown }) => MetricStat);
      expect(stats.length).toBeLessThanOrEqual(10);
    }
    expect(alarms.map(([name]) => name)).toEqual(expect.arrayContaining(['Tasksfail', 'Tasksfail2']));
  });
});

test('the dashboard shows every task metric of every task tool', () => {
  const [[, { Properties }]] = prod.ofType('AWS::CloudWatch::Dashboard') as [[string, Resource]];
  const body = JSON.stringify(Properties['DashboardBody']);
  const taskTools = Object.entries(tools).filter(([, { kind }]) => kind === 'task');

  for (const metric of ['Created', 'Completed', 'Failed', 'Cancelled', 'Expired', 'Reconciled']) {
    for (const [tool] of taskTools)
      expect(body).toContain(`\\"Tasks${metric}\\",\\"service\\",\\"Test\\",\\"tool\\",\\"${tool}\\"`);
  }
  for (const metric of ['TaskDuration', 'InputWait', 'OldestQuestion']) expect(body).toContain(metric);
});

describe('the census', () => {
  const census = ({ ofType }: Synthesized) =>
    ofType('AWS::Lambda::Function').filter(([id]) => id.startsWith('Census'));

  test('runs every hour in prod, and may read the table of tasks and nothing else', () => {
    const rules = prod
      .ofType('AWS::Events::Rule')
      .map(([, { Properties }]) => Properties['ScheduleExpression']);
    expect(rules).toContain('rate(1 hour)');
    const [[id]] = census(prod) as [[string, Resource]];
    const role = prod.resources[id]!.Properties['Role']['Fn::GetAtt'][0];
    const [, { Properties }] = prod
      .ofType('AWS::IAM::Policy')
      .find(([, policy]) => policy.Properties['Roles'].some(({ Ref }: { Ref: string }) => Ref === role))!;
    const statements = Properties['PolicyDocument'].Statement as { Action: string; Resource: unknown }[];
    expect(statements.filter(({ Action }) => !/^(xray|logs):|^xray/.test([Action].flat().join(' ')))).toEqual(
      [{ Effect: 'Allow', Action: 'dynamodb:Scan', Resource: { 'Fn::GetAtt': [prod.taskTable, 'Arn'] } }],
    );
  });

  test('is left out in dev', () => {
    expect(census(synthApp({}))).toEqual([]);
  });
});

test('everything that can be traced is', () => {
  for (const [, { Properties }] of prod.ofType('AWS::Lambda::Function')) {
    if (Properties['Runtime'] === 'nodejs24.x')
      expect(Properties['TracingConfig']).toEqual({ Mode: 'Active' });
  }
  for (const [, { Properties }] of prod.ofType('AWS::StepFunctions::StateMachine')) {
    expect(Properties['TracingConfiguration']).toEqual({ Enabled: true });
  }
  for (const [, { Properties }] of prod.ofType('AWS::ApiGateway::Stage')) {
    expect(Properties['TracingEnabled']).toBe(true);
  }
});
