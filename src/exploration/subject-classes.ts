/** Subjects of requests by class. */
import fc from "fast-check";
import { nextWallets, zeroAddress } from "../judge/parsed-request.js";
import { orderCountOf, walletWithFewOrders, walletWithMostOrders, walletWithNothing } from "../subjects/select.js";
import type { MarketSubject, Subjects, WalletSubject } from "../subjects/subjects.js";
import type { ClassRow } from "./covering-array.js";
import type { Draw } from "./planned-request.js";

/** Subjects by class; any member of a class will do. */
export type ClassesOf<Subject> = Readonly<Record<string, readonly Subject[]>>;

/** Wallets by how many orders they have, and unknown ones. */
export function ordersOfWallets(subjects: Subjects): ClassesOf<WalletSubject> {
  const most = walletWithMostOrders(subjects);
  const few = walletWithFewOrders(subjects);
  const others = subjects.wallets.filter((wallet) => wallet !== most && wallet !== few && orderCountOf(wallet) > 0);
  return nonEmptyClasses({
    "the most orders": most ? [most] : [],
    "few orders": few ? [few] : [],
    "some orders": others,
    "no open orders": others.filter(({ openOrders }) => openOrders === 0),
    ...unknownWallets(subjects),
  });
}

/** Wallets that appear in no answer: one far from all others, and some that differ from a known one by one digit. */
export function unknownWallets(subjects: Subjects): ClassesOf<WalletSubject> {
  return nonEmptyClasses({
    unknown: [subjects.unknown.wallet, ...(subjects.unknown.zeroAddress ? [zeroAddress] : [])].map(walletWithNothing),
    "unknown, next to a known one": nextWallets(subjects).map(walletWithNothing),
  });
}

/** The first eight markets are a class each. Further markets are spread over these classes in turn. */
const marketClasses = 8;

/** Markets in a few classes, dealt out in turn. */
export function marketsInTurn(markets: readonly MarketSubject[]): ClassesOf<MarketSubject> {
  const classes: Record<string, readonly MarketSubject[]> = {};
  for (const [index, market] of markets.entries()) {
    const name = `market ${index % marketClasses}`;
    classes[name] = [...(classes[name] ?? []), market];
  }
  return classes;
}

/** Drops the classes without a subject. */
export function nonEmptyClasses<Subject>(classes: ClassesOf<Subject>): ClassesOf<Subject> {
  return Object.fromEntries(Object.entries(classes).filter(([, subjects]) => subjects.length > 0));
}

/** A subject of the class that a row names for a field, drawn by the seed; undefined if the class has none. */
export function drawSubject<Subject>(
  field: string,
  classes: ClassesOf<Subject>,
  row: ClassRow,
  draw: Draw,
): Subject | undefined {
  const subjects = classes[row[field] ?? ""] ?? [];
  return subjects.length === 0 ? undefined : draw(field, ...subjects.map((subject) => fc.constant(subject)));
}
