import { digestOf } from './canonical';

type Intent = {
  readonly orgId: string;
  readonly keyId: string;
  readonly network: string;
  readonly intent: { readonly from: string; readonly to: string; readonly amountUnits: string } & Readonly<
    Record<string, Parameters<typeof digestOf>[0]>
  >;
};

/** Identifies a payment independent of its name: the signer logs it, and a restored database is checked for it. */
export const intentDigestOf = ({ orgId, keyId, network, intent }: Intent): string =>
  digestOf({ orgId, keyId, network, ...intent });
