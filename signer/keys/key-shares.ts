/**
 * The context that an imported share is bound to: the `info` of HPKE in UTF-8, one field per line. No field can contain a line
 * break, so two contexts never give the same text.
 */
export const importInfo = (place: { readonly orgId: string; readonly curve: string; readonly signerId: string }): string =>
  ['strongroom/key-share/v1', 'import', place.orgId, place.curve, place.signerId].join('\n');

/** The context that an exported share is bound to. The public key is bare lower-case hex, as the interface shows it. */
export const exportInfo = (place: { readonly orgId: string; readonly curve: string; readonly publicKeyHex: string }): string =>
  ['strongroom/key-share/v1', 'export', place.orgId, place.curve, place.publicKeyHex].join('\n');
