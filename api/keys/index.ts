import { createKey } from './create-key';
import { delegateKey } from './delegate-key';
import { deleteKey } from './delete-key';
import { deriveKey } from './derive-key';
import { exportKey } from './export-key';
import { getKey } from './get-key';
import { importKey } from './import-key';
import { listKeyStores } from './list-key-stores';
import { listKeys } from './list-keys';
import { listSigners } from './list-signers';
import { updateKey } from './update-key';

export const keyOperations = [
  createKey,
  listKeys,
  importKey,
  getKey,
  updateKey,
  deleteKey,
  delegateKey,
  deriveKey,
  exportKey,
  listKeyStores,
  listSigners,
];
