type Cause = { readonly path: string; readonly permission: string };

/**
 * The operations by which a person requests a signature, imports or exports a key, or derives from a key. Each operation is a
 * POST with a user action.
 */
export const CAUSES = {
  transferAsset: { path: '/wallets/:walletId/transfers', permission: 'Wallets:Transfers:Create' },
  cancelTransfer: { path: '/wallets/:walletId/transfers/:transferId/cancel', permission: 'Wallets:Transactions:Create' },
  speedUpTransfer: { path: '/wallets/:walletId/transfers/:transferId/speed-up', permission: 'Wallets:Transactions:Create' },
  broadcastTransaction: { path: '/wallets/:walletId/transactions', permission: 'Wallets:Transactions:Create' },
  cancelTransaction: {
    path: '/wallets/:walletId/transactions/:transactionId/cancel',
    permission: 'Wallets:Transactions:Create',
  },
  speedUpTransaction: {
    path: '/wallets/:walletId/transactions/:transactionId/speed-up',
    permission: 'Wallets:Transactions:Create',
  },
  walletsCancelSignature: {
    path: '/wallets/:walletId/signatures/:signatureId/cancel',
    permission: 'Wallets:Transactions:Create',
  },
  walletsGenerateSignature: { path: '/wallets/:walletId/signatures', permission: 'Keys:Signatures:Create' },
  keysGenerateSignature: { path: '/keys/:keyId/signatures', permission: 'Keys:Signatures:Create' },
  importKey: { path: '/keys/import', permission: 'Keys:Import' },
  importWallet: { path: '/wallets/import', permission: 'Keys:Import' },
  exportKey: { path: '/keys/:keyId/export', permission: 'Keys:Export' },
  exportWallet: { path: '/wallets/:walletId/export', permission: 'Keys:Export' },
  deriveKey: { path: '/keys/:keyId/derive', permission: 'Keys:Derive' },
} as const satisfies Record<string, Cause>;

export type CauseId = keyof typeof CAUSES;

/**
 * The requests that the service makes without a user action. `application/causes/` enforces `atMost`. The keys and wallets of an
 * end user's registration are absent here, because a registration does not sign anything.
 */
export const SERVICE_CAUSES = {
  SpeedUp: { atMost: 'make the same payment as its signed predecessor, over the same claims, within the approved fee ceiling' },
  FillNonce: { atMost: 'use up one nonce that a failed request left unused, and pay no one' },
  LapseSignature: {
    atMost:
      'use up the nonce that the service chose for a signed transaction that its holder did not send in time, and pay no one',
  },
  PayForParent: { atMost: 'spend change of its parent to the wallet itself, and pay no one' },
} as const satisfies Record<string, { readonly atMost: string }>;

export type ServiceCause = keyof typeof SERVICE_CAUSES;

/** Returns the parameters in the path; undefined if the path does not match the path of the cause. */
export const paramsIn = (cause: CauseId, path: string) => paramsOf(CAUSES[cause].path, path);

/**
 * Returns the values of the pattern's parameters in the path; undefined if the path does not match. A trailing slash is ignored.
 */
export function paramsOf(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/');
  const given = path.replace(/\/$/, '').split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}
