import { addressOf, parseAddress, scriptOf, toHex } from './addresses';
import { buildTransaction, coinsOf, vbytesOf } from './build';
import { proveMessage, signsMessages } from './messages';
import { readPsbt } from './psbt';
import { dustOf, select } from './selection';
import { attach, signPsbt } from './signatures';
import type { UtxoCodec, UtxoNetwork } from './types';

export function createUtxoCodec(network: UtxoNetwork): UtxoCodec {
  return {
    family: 'utxo',
    addressOf: (publicKeyHex, form) => addressOf(network, publicKeyHex, form),
    parseAddress: (text) => parseAddress(network, text),
    scriptOf: (address) => toHex(scriptOf(network, address)),
    dustUnitsOf: (address) => dustOf(network, scriptOf(network, address)),
    select: (intent, coins, fees, { anchor } = {}) => select(network, intent, coins, fees, anchor),
    build: (intent, selection, previous) => buildTransaction(network, intent, selection, previous),
    vbytesOf,
    coinsOf: (rawHex, address) => coinsOf(network, rawHex, address),
    readPsbt: (text, publicKeyHex, path) => readPsbt(network, text, publicKeyHex, path),
    signPsbt: (psbtHex, signatures, publicKeyHex) => signPsbt(network, psbtHex, signatures, publicKeyHex),
    signsMessages: signsMessages(network),
    proveMessage: (messageHex, format, signature, publicKeyHex) =>
      proveMessage(network, messageHex, format, signature, publicKeyHex),
    attach: ({ bytesHex }, signatures, publicKeyHex) => attach(network, bytesHex, signatures, publicKeyHex),
  };
}
