import { digestOf } from './canonical';

type Intent = {
  readonly orgId: string;
  readonly keyId: string;
  readonly network: string;
  readonly intent: { readonly from: string; readonly to: string; readonly amountUnits: string } & Readonly<
    Record<string, Parameters<typeof digestOf>[0]>
  >;
};

/** What a payment is, whatever it is called: the signer writes it into its log, and a restored database is asked for it. */
export const intentDigestOf = ({ orgId, keyId, network, intent }: Intent): string =>
  digestOf({ orgId, keyId, network, ...intent });
