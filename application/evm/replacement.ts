import type { ReplacementForm } from '../transfer-forms';

/** EVM: a transaction of nothing to oneself. */
export const evmReplacement: ReplacementForm = {
  cancel: ({ fromAddress }) => ({
    assetKind: 'Native',
    contract: null,
    tokenId: null,
    toAddress: fromAddress,
    amountUnits: '0',
    terms: null,
    options: {},
  }),
};
