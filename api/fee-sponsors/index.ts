import type { Operation } from '../http/operation';
import { activateFeeSponsor } from './activate-fee-sponsor';
import { createFeeSponsor } from './create-fee-sponsor';
import { deactivateFeeSponsor } from './deactivate-fee-sponsor';
import { deleteFeeSponsor } from './delete-fee-sponsor';
import { getFeeSponsor } from './get-fee-sponsor';
import { listFeeSponsors } from './list-fee-sponsors';
import { listSponsoredFees } from './list-sponsored-fees';

export const feeSponsorOperations: readonly Operation[] = [
  createFeeSponsor,
  listFeeSponsors,
  getFeeSponsor,
  activateFeeSponsor,
  deactivateFeeSponsor,
  deleteFeeSponsor,
  listSponsoredFees,
];
