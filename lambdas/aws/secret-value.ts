/**
 * A secret's text, asked for at first use and kept as long as the execution environment lives. The client is loaded
 * then too: most environments never need it.
 */
export const secretValue = (secretId: string): (() => Promise<string>) => {
  let asked: Promise<string> | undefined;
  return () =>
    (asked ??= read(secretId).catch((error: unknown) => {
      // The next call asks again.
      asked = undefined;
      throw error;
    }));
};

const read = async (secretId: string): Promise<string> => {
  const { SecretsManagerClient, GetSecretValueCommand } = await import('@aws-sdk/client-secrets-manager');
  const client = new SecretsManagerClient();
  try {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    if (SecretString === undefined) throw new Error(`The secret ${secretId} has no text`);
    return SecretString;
  } finally {
    client.destroy();
  }
};
