/** The `info` of HPKE for an imported share. No field can contain a line break, so two contexts never give the same text. */
export const importInfo = (place: { readonly orgId: string; readonly curve: string; readonly signerId: string }): string =>
  ['strongroom/key-share/v1', 'import', place.orgId, place.curve, place.signerId].join('\n');

/** The `info` for an exported share. The public key is bare lower-case hex, as the interface shows the key. */
export const exportInfo = (place: { readonly orgId: string; readonly curve: string; readonly publicKeyHex: string }): string =>
  ['strongroom/key-share/v1', 'export', place.orgId, place.curve, place.publicKeyHex].join('\n');
