import { testsOfInput } from '../../../support/ceremony-api';

testsOfInput({
  request: { kind: 'Clone', hsmSourceSerial: 'D-1', hsmTargetSerial: 'D-2' },
  bad: [
    ['body.hsmTargetSerial', { hsmTargetSerial: 'D-1' }],
    ['body.hsmSourceSerial', { hsmSourceSerial: 'D-9' }],
    ['body.hsmSourceSerial', { hsmSourceSerial: '' }],
    ['body.more', { more: 1 }],
  ],
});
