import type { ImportQuestion } from '../../domain/key-requests';
import { sha256Hex } from '../../platform/digests';
import { ImportKeyBody, ImportWalletBody } from '../bodies/keys';
import { importOf } from '../keys/shares';
import { keyImportOf } from '../wallets/import-wallet';
import type { ActionGrounds } from './action-grounds';
import { proven, readingSigned } from './refused';
import { isSameJson, readText } from './signed-text';

/**
 * Throws `UnprovenRequest` if the key request differs from the signed body. The body contains the key share, so the user action
 * stores only the digest of the body. The key request contains the exact text of the body, which must match that digest. A key
 * that an end user imports must be delegated to that user, and no other imported key may be delegated.
 */
export function assertSaysImport(question: ImportQuestion, { action, cause }: ActionGrounds, isOfEndUser: boolean): void {
  const { signedText, delegatedTo, wallet, ...asked } = question;
  // Earlier releases did not store the text, so their key requests are refused.
  proven(typeof signedText === 'string' && sha256Hex(signedText) === action.bodySha256, 'BodyDiffers');
  proven((cause === 'importWallet') === (wallet !== null), 'ContentDiffers wallet');
  proven(delegatedTo === (isOfEndUser ? action.userId : null), 'ContentDiffers delegatedTo');
  if (wallet === null) {
    const request = readText(ImportKeyBody, signedText);
    assertSameImport(
      asked,
      readingSigned(() => importOf(request)),
    );
    return;
  }
  const request = readText(ImportWalletBody, signedText);
  assertSameImport(
    asked,
    readingSigned(() => importOf(keyImportOf(request))),
  );
  const { network, name = null, externalId = null, metadata = {} } = request;
  const asks = [wallet.network, wallet.name, wallet.externalId, wallet.metadata ?? {}];
  const isSame = isSameJson(asks, [network, name, externalId, metadata]);
  proven(isSame, 'ContentDiffers wallet');
}

function assertSameImport(asked: Omit<ImportQuestion, 'signedText' | 'delegatedTo' | 'wallet'>, said: typeof asked): void {
  for (const name of ['form', 'signerId', 'encryptedShare', 'name', 'isMaster'] as const) {
    proven(isSameJson(asked[name], said[name]), `ContentDiffers ${name}`);
  }
}
