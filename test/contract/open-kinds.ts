const lines = (place: string, kinds: string) => kinds.split(' ').map((kind) => `${place}<${kind}> is missing`);

/** Kinds of body and asset that only the published client has. They belong to other families of networks or to later parts. */
export const OPEN_KINDS = [
  {
    operations: 'transferAsset',
    lines: lines('body', 'Aip21 Asa Asset Cip56 Cis2 Cis7 Coin Hip17 Hts Iou Sep41 Snip2 Snip3 Tep74 Trc10 Trc20 Trc721 Xls33'),
    reason: 'These tokens follow with the codecs of their families',
  },
  {
    operations: 'getWalletAssets',
    lines: lines(
      'answer.assets[]',
      'Aip21 Asa Asset Cip56 Cis2 Cis7 Coin Hts Iou LockedCoin Sep41 Snip2 Tep74 Trc10 Trc20 Xls33',
    ),
    reason: 'These tokens follow with the readers of their families',
  },
  {
    operations: 'keysGenerateSignature walletsGenerateSignature',
    lines: lines('body', 'Cip8 SignerPayload Snip12'),
    reason: 'These kinds follow with the codecs of their families',
  },
  {
    operations: 'keysGenerateSignature',
    lines: lines('body', 'StellarFeeBumpTransaction'),
    reason: 'These kinds follow with the codecs of their families',
  },
  {
    operations: 'broadcastTransaction keysGenerateSignature walletsGenerateSignature',
    lines: lines('body', 'SignDocDirect'),
    reason: 'This kind follows with the codec of Cosmos',
  },
  {
    operations: 'broadcastTransaction',
    lines: lines('body', 'TransferPreapproval'),
    reason: 'This kind follows with the codec of Canton',
  },
  {
    operations: 'createApprovalDecision getApproval listApprovals',
    lines: ['answer.activity<Wallets:Sign>.swapRequest is missing'],
    reason: 'This release has no swaps',
  },
];
