import type { FeeSponsorStatus } from '../../domain/fee-sponsors';
import type { NetworkName } from '../../domain/networks';
import type { FeeSponsorEntity } from '../../entities/fee-sponsors/fee-sponsor.entity';
import type { SponsoredFeeEntity } from '../../entities/fee-sponsors/sponsored-fee.entity';

export type FeeSponsorView = {
  readonly id: string;
  readonly name?: string;
  readonly walletId: string;
  readonly network: NetworkName;
  readonly status: FeeSponsorStatus;
  readonly dateCreated: string;
  readonly allowEndUser: boolean;
};

export const feeSponsorView = ({
  id,
  name,
  walletId,
  network,
  status,
  dateCreated,
  allowEndUser,
}: FeeSponsorEntity): FeeSponsorView => ({
  id,
  ...(name === null ? {} : { name }),
  walletId,
  network,
  status,
  dateCreated: dateCreated.toISOString(),
  allowEndUser,
});

/** `fee` is in smallest units of the network's native asset, and absent if the fee is not known. */
export type SponsoredFeeView = {
  readonly feeSponsorId: string;
  readonly sponsoreeId: string;
  readonly requestId: string;
  readonly fee?: string;
  readonly dateRequested: string;
  readonly dateConfirmed: string;
};

export const sponsoredFeeView = (row: SponsoredFeeEntity): SponsoredFeeView => ({
  feeSponsorId: row.feeSponsorId,
  sponsoreeId: row.sponsoreeId,
  requestId: row.requestId,
  ...(row.feeUnits === null ? {} : { fee: row.feeUnits }),
  dateRequested: row.dateRequested.toISOString(),
  dateConfirmed: row.dateConfirmed.toISOString(),
});
