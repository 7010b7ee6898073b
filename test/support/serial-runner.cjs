const { default: TestRunner } = require('jest-runner');

/** Jest's own runner, one file after the other; Jest runs the files of one runner before those of the next. */
module.exports = class SerialRunner extends TestRunner {
  isSerial = true;
};
