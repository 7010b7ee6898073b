import { AppError } from '../domain/errors';
import type { Family } from '../domain/networks';
import type { AssetKind, FeePriority } from '../domain/transfers';
import type { TravelRulePayload } from '../domain/travel-rules';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import type { Services } from './services';
import type { RequestDraft } from './wallet-requests';
import type { UsableWallet } from './wallets';

/** A transfer as its body says it, whatever the kind; which members a kind has is the schemas' affair. */
export type TransferRequest = {
  readonly kind: AssetKind;
  readonly contract?: string | undefined;
  readonly mint?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly to: string;
  readonly amount?: string | undefined;
  readonly memo?: string | undefined;
  readonly createDestinationAccount?: boolean | undefined;
  readonly useDurableNonce?: boolean | undefined;
  readonly priority?: FeePriority | undefined;
  readonly externalId?: string | undefined;
  readonly travelRule?: TravelRulePayload | undefined;
};

export type TransferDraft = Omit<RequestDraft, 'form' | 'body'>;

/** How a family reads a request for a transfer: every fault of it is a 4xx with the path of its field, before anything is stored. */
export type ReadTransfer = (services: Services, wallet: UsableWallet, request: TransferRequest) => Promise<TransferDraft>;

/** The same for a raw transaction. `isFirst` is false where the caller asks for the same one again. */
export type ReadTransaction<Request> = (
  services: Services,
  wallet: UsableWallet,
  request: Request,
  isFirst: boolean,
) => Promise<TransferDraft>;

export type PerFamily<Part> = Readonly<Partial<Record<Family, Part>>>;

/** An address that is wrong is a fault of one field of the body, and the caller is told which. */
export function addressAt(field: string, parse: () => string): string {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, error.message, { issues: [{ path: `body.${field}`, message: error.message }] }, error);
  }
}

/** `InvalidRequest` at a field of the body. */
export function badField(field: string, message: string): AppError {
  const path = `body.${field}`;
  return new AppError('InvalidRequest', `The request is not valid: ${path}: ${message}`, { issues: [{ path, message }] });
}

/** What a row of a family is that does nothing but use up the claims of another one. */
export type CancelDraft = (
  replaced: TransferEntity,
) => Pick<TransferEntity, 'assetKind' | 'contract' | 'tokenId' | 'toAddress' | 'amountUnits' | 'terms' | 'options'>;
