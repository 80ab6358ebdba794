import {
  EndpointType,
  SecurityPolicy,
  type DomainNameOptions,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGateway } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';

/** The API's own domain, if the settings name one. */
export const domainOf = (scope: Construct): DomainNameOptions | undefined => {
  const { domainName, certificateArn } = settingsOf(scope);
  if (domainName === undefined || certificateArn === undefined) return undefined;
  return {
    domainName,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  };
};

/** The domain's DNS record, if the settings name its zone. */
export const addDnsRecord = (scope: Construct, restApi: RestApi): void => {
  const { domainName, hostedZoneId, hostedZoneName } = settingsOf(scope);
  if (hostedZoneId === undefined || hostedZoneName === undefined) return;
  new ARecord(scope, 'DnsRecord', {
    zone: HostedZone.fromHostedZoneAttributes(scope, 'Zone', { hostedZoneId, zoneName: hostedZoneName }),
    recordName: `${domainName}.`,
    target: RecordTarget.fromAlias(new ApiGateway(restApi)),
  });
};
