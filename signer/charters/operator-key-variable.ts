import { z } from 'zod';
import { operatorKeyOf } from './charter';

const OperatorKey = z.string().transform((text, context) => {
  try {
    return operatorKeyOf(Buffer.from(z.hex().length(64).parse(text), 'hex'));
  } catch {
    context.addIssue({ code: 'custom', message: 'must be the 64 hex digits of an Ed25519 public key' });
    return z.NEVER;
  }
});

export const OperatorKeyEnv = {
  SIGNER_OPERATOR_KEY: OperatorKey.optional().meta({
    form: '64 hex digits',
    description:
      'Public half of the Ed25519 key that signs the charters of organisations ([operations.md](operations.md#charters)).',
  }),
};
