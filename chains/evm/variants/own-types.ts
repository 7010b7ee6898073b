/** `member` is the request member that no other type has. */
type NamedType = {
  readonly type: 118 | 123;
  readonly prefix: '0x76' | '0x7b';
  readonly member: 'feeCurrency' | 'nonceKey';
  /** The name of the chain for error messages. */
  readonly chain: string;
};

/** CIP-64 defines this type. */
export const CELO_TYPE = { type: 123, prefix: '0x7b', member: 'feeCurrency', chain: 'Celo' } as const satisfies NamedType;
/** A transaction of this type names the nonce key, under which the network counts the transaction's nonce. */
export const TEMPO_TYPE = { type: 118, prefix: '0x76', member: 'nonceKey', chain: 'Tempo' } as const satisfies NamedType;

export const OWN_TYPES: readonly NamedType[] = [CELO_TYPE, TEMPO_TYPE];
