import type { MethodOptions, RestApi } from 'aws-cdk-lib/aws-apigateway';

/** An API to protect. Its URLs are spelt out, not taken from the stage, which depends on all of its parts. */
export interface ProtectedApi {
  restApi: RestApi;
  /** Without a slash at its end. */
  baseUrl: string;
  /** Where clients connect: the resource that tokens are for. */
  mcpUrl: string;
}

/** A way to find out who calls. There is one construct per mode. */
export interface Authentication {
  /** Puts into the API what this mode needs. @returns the options of every method that only callers may use. */
  protect(api: ProtectedApi): MethodOptions;
}
