import { AppError } from '../../domain/errors';
import { AtDevice } from './offline-signer';

export type SignerReply<T> =
  | { readonly signed: T }
  /** The key lies in an offline store, and no device has signed yet. */
  | { readonly waits: 'Offline' }
  /** The signer will never sign the order, and has not signed it before. */
  | { readonly refused: string };

/** Throws every other refusal. If the signer may already have signed, the claim must never be given to another payload. */
export async function askedSigner<T>(asked: Promise<T>): Promise<SignerReply<T>> {
  try {
    return { signed: await asked };
  } catch (error) {
    if (error instanceof AtDevice) return { waits: 'Offline' };
    if (!(error instanceof AppError) || error.code !== 'SignerRefused') throw error;
    if (error.details['nothingSigned'] !== true) throw error;
    return { refused: error.message };
  }
}
