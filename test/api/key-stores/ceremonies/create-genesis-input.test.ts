import { testsOfInput } from '../../../support/ceremony-api';
import { noteAnswer } from '../../../support/examples';
import { GENESIS } from '../../../support/fleet-story';

testsOfInput({
  note: (body, answer, params) => noteAnswer('createGenesisInput', body, answer, params),
  request: GENESIS,
  bad: [
    ['body.numProvisioners', { numProvisioners: 1 }],
    ['body.numProvisioners', { numProvisioners: 17 }],
    ['body.threshold', { threshold: 4 }],
    ['body.numSecp256k1', { numSecp256k1: -1 }],
    ['body.numSecp256k1', { numSecp256k1: 1.5 }],
    ['body.numEd25519', { numEd25519: 1_001 }],
    ['body.numSecp256k1', { numSecp256k1: 0, numEd25519: 0 }],
    ['body.hsmGenesisSerial', { hsmGenesisSerial: '../etc' }],
    ['body.kind', { kind: 'Clone' }],
    ['body.more', { more: 1 }],
  ],
});
