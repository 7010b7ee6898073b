import { digestOf } from './canonical';

type Intent = {
  readonly orgId: string;
  readonly keyId: string;
  readonly network: string;
  readonly intent: { readonly from: string; readonly to: string; readonly amountUnits: string } & Readonly<
    Record<string, Parameters<typeof digestOf>[0]>
  >;
};

/**
 * Identifies a payment by its content. With this digest, the signer's log recognises a payment that is missing from a restored
 * database.
 */
export const intentDigestOf = ({ orgId, keyId, network, intent }: Intent): string =>
  digestOf({ orgId, keyId, network, ...intent });
