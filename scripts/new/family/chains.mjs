// The texts of the files below domain/ and chains/ that `family.mjs` writes for a new family.

export const domainFile = ({ family, title }) => `import type { FeePriority } from './transfers';

/** A raw transaction as requested; \`call\` is what is approved. */
export type ${title}Terms = { readonly family: '${family}'; readonly call: { readonly bytesHex: string } };

/** Smallest units per transaction. */
export type ${title}Fees = {
  readonly kind: '${title}';
  readonly tiers: Readonly<Record<FeePriority, { readonly feeUnits: bigint }>>;
};
`;

export const typesFile = ({
  family,
  title,
  scheme,
  curve,
}) => `import type { CodecBase, NetworkBase, ReaderBase } from '../types';

export type ${title}Network = NetworkBase & {
  readonly family: '${family}';
  readonly scheme: '${scheme}';
  readonly curve: '${curve}';
  /** The node's identification of its chain. */
  readonly chainId: string;
};

export interface ${title}Codec extends CodecBase {
  readonly family: '${family}';
}

export interface ${title}Decoder {
  readonly family: '${family}';
  addressOf(publicKeyHex: string): string;
}

export interface ${title}Reader extends ReaderBase {
  readonly family: '${family}';
}

export type ${title}Types = {
  readonly network: ${title}Network;
  readonly codec: ${title}Codec;
  readonly decoder: ${title}Decoder;
  readonly reader: ${title}Reader;
};
`;

export const recordFile = ({
  record,
  family,
  title,
  network,
  chainId,
  symbol,
  decimals,
  scheme,
  curve,
}) => `import type { ${title}Network } from '../types';

export const ${record}: ${title}Network = {
  name: '${network}',
  family: '${family}',
  isMainnet: false,
  standing: 'Live',
  tier: 3,
  chainId: '${chainId}',
  scheme: '${scheme}',
  curve: '${curve}',
  nativeAsset: { symbol: '${symbol}', decimals: ${decimals} },
  confirmations: 1,
  feeCeilingUnits: 1n,
  signerFeeCeilingUnits: 1n,
  inFlightMax: 16,
  slip44: 1,
  tokens: [],
};
`;

export const codecFile = ({ family, title }) => `import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors';
import type { ${title}Codec, ${title}Network } from './types';

const ADDRESS = /^[0-9a-f]{64}$/;

export const create${title}Codec = (_network: ${title}Network): ${title}Codec => ({
  family: '${family}',
  addressOf: (publicKeyHex) => createHash('sha256').update(Buffer.from(publicKeyHex, 'hex')).digest('hex'),
  parseAddress(text) {
    if (ADDRESS.test(text)) return text;
    throw new AppError('InvalidAddress', 'An address has 64 hexadecimal digits');
  },
});
`;

export const decoderFile = ({ family, title }) => `import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { ${title}Decoder, ${title}Network } from './types';

export const create${title}Decoder = (_network: ${title}Network): ${title}Decoder => ({
  family: '${family}',
  addressOf: (publicKeyHex) => bytesToHex(sha256(hexToBytes(publicKeyHex))),
});
`;

export const nodesFile = ({ title, cannot }) => `import { absent, type Slot } from '../../domain/slots';
import type { RpcOptions, Rpc } from '../rpc/rpc';
import type { Gateway } from '../types';
import type { ${title}Network, ${title}Reader } from './types';

const NOT_YET = ${cannot('Asking a node')};

export const create${title}Reader: Slot<(network: ${title}Network, rpc: Rpc) => ${title}Reader> = NOT_YET;
export const create${title}Gateway: Slot<(network: ${title}Network, rpc: Rpc) => Gateway> = NOT_YET;
export const ${title[0].toLowerCase()}${title.slice(1)}RpcOptions: Slot<(network: ${title}Network) => Pick<RpcOptions, 'identity'>> = NOT_YET;
`;
