import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors';
import { canonical } from '../../platform/canonical';
import type { PretenceCodec, PretenceNetwork } from './types';

const ADDRESS = /^[0-9a-f]{64}$/;
const FORM = /^\{"amount":"\d+","chain":"[^"]+","fee":"\d+","from":"\w+","sequence":\d+,"to":"\w+"\}/;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export const createPretenceCodec = ({ chainId }: PretenceNetwork): PretenceCodec => ({
  family: 'pretence',
  addressOf: (publicKeyHex) => sha256(Buffer.from(publicKeyHex, 'hex')),
  parseAddress(text) {
    if (ADDRESS.test(text)) return text;
    throw new AppError('InvalidAddress', 'An address has 64 hexadecimal digits');
  },
  build({ from, to, amountUnits, feeUnits, sequence }) {
    const said = { from, to, amount: amountUnits.toString(), fee: feeUnits.toString(), sequence, chain: chainId };
    const bytes = Buffer.from(canonical(said));
    return { bytesHex: `0x${bytes.toString('hex')}`, digestHex: `0x${sha256(bytes)}`, maxFeeUnits: feeUnits };
  },
  attach(bytesHex, signatureHex) {
    const raw = Buffer.from(`${bytesHex}${signatureHex}`.slice(2), 'hex');
    return { rawHex: `0x${raw.toString('hex')}`, txHash: sha256(raw) };
  },
  isTransaction: (bytesHex) => FORM.test(Buffer.from(bytesHex.slice(2), 'hex').toString('latin1')),
});
