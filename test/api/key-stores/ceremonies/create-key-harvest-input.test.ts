import { testsOfInput } from '../../../support/ceremony-api';
import { noteAnswer } from '../../../support/examples';

testsOfInput({
  note: (body, answer, params) => noteAnswer('createKeyHarvestInput', body, answer, params),
  request: { kind: 'KeyHarvest', hsmTargetSerial: 'D-1', macTargetSerial: 'M-1', macTargetUsername: 'Ada', numEd25519: 2 },
  bad: [
    ['body.numSecp256k1', { numEd25519: 0 }],
    ['body.numEd25519', { numEd25519: 1_001 }],
    ['body.numEd25519', { numEd25519: -1 }],
    ['body.macTargetSerial', { macTargetSerial: 'M-9' }],
    ['body.hsmTargetSerial', { hsmTargetSerial: 'D-9' }],
    ['body.macTargetUsername', { macTargetUsername: '' }],
  ],
});
