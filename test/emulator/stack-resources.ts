import { awsRequest } from '../../scripts/aws-request.ts';

/** What a resource of a stack is really called. @throws if there is none of this type whose name is like that */
export const physicalId = async (StackName: string, type: string, name = /./): Promise<string> => {
  const xml = await awsRequest({
    service: 'cloudformation',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ Action: 'DescribeStackResources', Version: '2010-05-15', StackName })),
  });
  for (const member of xml.split('</member>')) {
    const id = textOf(member, 'PhysicalResourceId');
    if (textOf(member, 'ResourceType') === type && name.test(id)) return id;
  }
  throw new Error(`${StackName} has no ${type} like ${name}`);
};

const textOf = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
