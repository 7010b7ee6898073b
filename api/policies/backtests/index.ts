import type { Operation } from '../../http/operation';
import { createBacktest } from './create-backtest';
import { exportBacktestResults } from './export-backtest-results';
import { getBacktest } from './get-backtest';
import { listBacktestResults } from './list-backtest-results';

export const backtestOperations: readonly Operation[] = [createBacktest, getBacktest, listBacktestResults, exportBacktestResults];
