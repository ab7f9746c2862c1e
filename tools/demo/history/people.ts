/** Who the customers of the data are: it has their numbers only, so names and contacts are made up from the number. */

const given = 'Maya Tom Aisha Ben Chloe David Elif Fergus Grace Hana Isaac Jodie Kofi Leila Marek Nora'.split(' ');
const family = ['Lee', 'Hill', 'Khan', 'Walsh', 'Brown', 'Novak', 'Okafor', 'Patel', 'Reid', 'Silva', 'Turner', 'Weber', 'Young'];
const streets = ['High Street', 'Mill Lane', 'Station Road', 'Church Walk', 'Park Avenue'];
const cities = ['London', 'Leeds', 'Bristol', 'York', 'Bath'];

export interface Person {
  name: string;
  email: string;
  phone: string;
  loyalty_card_number: string;
  email_receipt_opt_in: boolean;
  date_of_birth?: string;
  address_line1?: string;
  city?: string;
  postal_code?: string;
  country?: string;
  notes?: string;
}

/** The same person for the same number. Every second one has an address, every third a birthday. */
export function personOf(customer: string, country: string): Person {
  const number = Number(customer);
  const pick = (from: readonly string[], step: number) => from[Math.floor(number / step) % from.length]!;
  const name = `${pick(given, 1)} ${pick(family, given.length)}`;
  return {
    name,
    email: `${name.toLowerCase().replace(' ', '.')}.${customer}@example.com`,
    phone: `+44 20 79${String(number % 1_000_000).padStart(6, '0')}`,
    loyalty_card_number: `LL-${customer}`,
    email_receipt_opt_in: number % 4 !== 0,
    ...(number % 2 === 0 && {
      address_line1: `${(number % 90) + 1} ${pick(streets, 2)}`,
      city: country === 'United Kingdom' ? pick(cities, 3) : undefined,
      postal_code: country === 'United Kingdom' ? `LL${number % 9} ${number % 10}AB` : undefined,
      country,
    }),
    ...(number % 3 === 0 && { date_of_birth: `${1950 + (number % 50)}-${two((number % 12) + 1)}-${two((number % 28) + 1)}` }),
    ...(number % 25 === 0 && { notes: 'Asks for paper bags.' }),
  };
}

const two = (value: number): string => String(value).padStart(2, '0');
