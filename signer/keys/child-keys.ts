import { createHmac } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import type { PathLevel } from '../../domain/derivation-paths';
import { secretBuffer } from './secret-buffer';

const HARDENED = 0x8000_0000;

/** 32 bytes of secret and 32 bytes of chain code. */
export type KeyNode = { readonly secret: Buffer; readonly chainCode: Buffer };

/**
 * HMAC-SHA256 over the secret of a master key. The chain code follows from the secret, so the 32 bytes of an exported or
 * restored master key are enough to derive every child again.
 */
export const chainCodeOf = (secret: Buffer): Buffer => createHmac('sha256', 'strongroom/chain-code/v1').update(secret).digest();

const indexOf = ({ index, hardened }: PathLevel) => (hardened ? index + HARDENED : index);

/** BIP32, section "Child key derivation (CKD) functions". */
function childOnSecp256k1({ secret, chainCode }: KeyNode, level: PathLevel): KeyNode {
  const parent = new HDKey({ privateKey: secret, chainCode });
  const child = parent.deriveChild(indexOf(level));
  try {
    // At an index without a valid key (one in 2^127) the library takes the next index, so two paths would lead to one key.
    if (!child.privateKey || !child.chainCode || child.index !== indexOf(level)) throw new Error('there is no key at this index');
    return { secret: Buffer.from(child.privateKey), chainCode: Buffer.from(child.chainCode) };
  } finally {
    parent.wipePrivateData();
    child.wipePrivateData();
  }
}

/** SLIP-0010: only hardened indices, and any 32 bytes are a valid secret. */
function childOnEd25519({ secret, chainCode }: KeyNode, level: PathLevel): KeyNode {
  if (!level.hardened) throw new Error('ed25519 has hardened children only');
  const data = secretBuffer(37);
  secret.copy(data, 1);
  data.writeUInt32BE(indexOf(level), 33);
  const out = createHmac('sha512', chainCode).update(data).digest();
  data.fill(0);
  return { secret: out.subarray(0, 32), chainCode: out.subarray(32) };
}

/** The caller wipes the secrets of `first` and of the result. This function wipes the secrets of the nodes in between. */
export function deriveNode(first: KeyNode, curve: 'secp256k1' | 'ed25519', path: readonly PathLevel[]): KeyNode {
  const childOf = curve === 'ed25519' ? childOnEd25519 : childOnSecp256k1;
  let node = first;
  for (const level of path) {
    const child = childOf(node, level);
    if (node !== first) node.secret.fill(0);
    node = child;
  }
  return node;
}
