/** The tables of customers: the entities that declare them, and typed statements over them. */
import { RunningTotal, tablesOf } from '@store/db';
import { StoreCopy } from '@store/service';
import { Customer, CustomerCodes } from './customers/customer.ts';
import { CustomerSale } from './sales/customer-sale.ts';

export const entities = [StoreCopy, RunningTotal, Customer, CustomerCodes, CustomerSale];

export const tables = tablesOf<(typeof entities)[number]>('customers');
