/** What a share on its way in is bound to: the `info` of HPKE, UTF-8, a field a line. Nothing in it can hold a line break. */
export const importInfo = (place: { readonly orgId: string; readonly curve: string; readonly signerId: string }): string =>
  ['strongroom/key-share/v1', 'import', place.orgId, place.curve, place.signerId].join('\n');

/** What a share on its way out is bound to. The public key is bare lower-case hex, as a key has it in the interface. */
export const exportInfo = (place: { readonly orgId: string; readonly curve: string; readonly publicKeyHex: string }): string =>
  ['strongroom/key-share/v1', 'export', place.orgId, place.curve, place.publicKeyHex].join('\n');
