import { expect, test } from '@jest/globals';
import { ResolvedTemplate } from '../../local/template.ts';

const template = new ResolvedTemplate({
  Parameters: { Size: { Default: 3 } },
  Mappings: { Map: { us: { name: 'north' } } },
  Conditions: {
    Here: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'] },
    There: { 'Fn::Not': [{ Condition: 'Here' }] },
    Either: { 'Fn::Or': [{ Condition: 'Here' }, { Condition: 'There' }] },
    Both: { 'Fn::And': [{ Condition: 'Here' }, { Condition: 'There' }] },
  },
  Resources: {
    Rows: { Type: 'AWS::DynamoDB::Table' },
    Named: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'my-rows' } },
    Step: { Type: 'AWS::Lambda::Function' },
    Live: { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: { Ref: 'Step' }, Name: 'live' } },
    Machine: { Type: 'AWS::StepFunctions::StateMachine' },
    Api: { Type: 'AWS::ApiGateway::RestApi' },
    Gone: { Type: 'AWS::SNS::Topic', Condition: 'There' },
    Kept: { Type: 'AWS::SNS::Topic', Condition: 'Either' },
  },
});

test.each<[unknown, unknown]>([
  [{ Ref: 'AWS::AccountId' }, '000000000000'],
  [{ Ref: 'Size' }, 3],
  [{ Ref: 'Rows' }, 'Rows'],
  [{ Ref: 'Named' }, 'my-rows'],
  [{ Ref: 'Machine' }, 'arn:aws:states:us-east-1:000000000000:stateMachine:Machine'],
  [{ Ref: 'Live' }, 'arn:aws:lambda:us-east-1:000000000000:function:Step:live'],
  [{ 'Fn::GetAtt': ['Step', 'Arn'] }, 'arn:aws:lambda:us-east-1:000000000000:function:Step'],
  [{ 'Fn::GetAtt': 'Named.Arn' }, 'arn:aws:dynamodb:us-east-1:000000000000:table/my-rows'],
  [{ 'Fn::GetAtt': ['Api', 'RootResourceId'] }, 'Api/root'],
  [{ 'Fn::Join': ['-', ['a', { Ref: 'Rows' }]] }, 'a-Rows'],
  [{ 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b'] }] }, 'b'],
  [
    { 'Fn::Sub': '${Rows}/${Step.Arn}/${!Literal}' },
    'Rows/arn:aws:lambda:us-east-1:000000000000:function:Step/${Literal}',
  ],
  [{ 'Fn::Sub': ['${X}', { X: { Ref: 'Rows' } }] }, 'Rows'],
  [{ 'Fn::FindInMap': ['Map', 'us', 'name'] }, 'north'],
  [{ 'Fn::If': ['Both', { Ref: 'NotThere' }, 'no'] }, 'no'],
  [{ a: { Ref: 'AWS::NoValue' }, b: [{ Ref: 'AWS::NoValue' }, 1] }, { b: [1] }],
])('%j', (value, expected) => {
  expect(template.resolve(value)).toEqual(expected);
});

test('a resource whose condition is false is not there', () => {
  expect(template.resources('AWS::SNS::Topic').map(({ logicalId }) => logicalId)).toEqual(['Kept']);
});

test('an intrinsic it does not know is named', () => {
  expect(() => template.resolve({ 'Fn::Transform': {} })).toThrow(/does not know .* Fn::Transform/);
  expect(() => template.resolve({ Ref: 'Nobody' })).toThrow(/Nobody/);
});
