import type { CauseId } from '../../domain/causes';
import type { RequestedPayload } from '../../domain/signatures';
import type { Reader } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import type { SecretBox } from '../../platform/secret-box';
import { parseStrictJson } from '../../platform/strict-json';
import { SignatureBody } from '../bodies/signatures';
import { namedNetwork, preparePayload } from '../signatures/payloads';
import { actionGroundsOf, keptBody } from './action-grounds';
import { proven, readingSigned } from './refused';
import { isSameJson, isSameRequest } from './signed-text';

const CAUSES_OF = {
  byWallet: ['walletsGenerateSignature'],
  byKey: ['keysGenerateSignature'],
} as const satisfies Record<string, readonly CauseId[]>;

/** The service already checked the network when the request arrived. */
const ANY_NETWORK = () => true;

/** The operation's schema may have changed the order of the members, so typed data are compared as parsed JSON. */
function readable(payload: RequestedPayload): unknown {
  if (!('typedData' in payload)) return payload;
  const json = parseStrictJson(Buffer.from(payload.typedData, 'utf8'));
  return json.ok ? { ...payload, typedData: json.value } : payload;
}

/** Throws `UnprovenRequest`. The service itself never requests signatures, so every signature has a user action. */
export async function assertSignatureCaused(
  reader: Reader,
  signedBodies: SecretBox,
  row: SignatureEntity,
): Promise<{ readonly isEarlier: boolean }> {
  const { orgId, userActionId, requesterUserId: userId, requesterTokenId: tokenId, walletId, keyId } = row;
  const causes = walletId === null ? CAUSES_OF.byKey : CAUSES_OF.byWallet;
  const [grounds, key, wallet] = await Promise.all([
    actionGroundsOf(reader, signedBodies, { orgId, userActionId, userId, tokenId }, causes),
    keyStore.find(reader, keyId),
    walletId === null ? undefined : reader.row(WalletEntity, 'WHERE t.id = $1', [walletId]),
  ]);
  const { params } = grounds;
  proven(walletId === null ? params['keyId'] === keyId : params['walletId'] === walletId, 'PathDiffers');
  proven(key && (walletId === null || wallet?.keyId === keyId), 'WalletDiffers');
  const request = keptBody(grounds, causes);
  if (request === 'Earlier') return { isEarlier: true };

  const isKept = isSameRequest(SignatureBody, request, row.requestBody);
  proven(isKept && (request.externalId ?? null) === row.externalId, 'BodyDiffers');
  const network = wallet?.network ?? request.network;
  proven((network ?? null) === row.network && request.kind === row.kind, 'ContentDiffers network');
  const named = { ...request, ...(network === undefined ? {} : { network }) };
  const { payload, claim } = readingSigned(() =>
    preparePayload(key, request, namedNetwork(named, key, ANY_NETWORK), ANY_NETWORK),
  );
  proven(isSameJson(readable(payload), readable(row.payload)), 'ContentDiffers payload');
  // An open nonce is filled in later. The bytes with that nonce are compared again before the signer gets these bytes.
  const isChosenLater = payload.kind === 'OpenEvmTransaction' && payload.terms.nonce === null;
  const claimed = { network: row.claimNetwork, address: row.fromAddress, nonce: isChosenLater ? null : row.nonce };
  const asked = { network: claim?.network ?? null, address: claim?.address ?? null, nonce: claim?.nonce ?? null };
  proven(isSameJson(asked, claimed), 'ContentDiffers claim');
  return { isEarlier: false };
}
