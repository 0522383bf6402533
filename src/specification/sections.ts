/**
 * The sections of the specification, in order, with their titles. Every rule belongs to one of them.
 *
 * Sections 1 and 2 are long, so their parts count as sections of their own.
 */
export const sections = {
  "§1": "What the service does",
  "§1 Wire conventions": "Wire conventions",
  "§1 Market selector": "Market selector",
  "§2 Position": "Position",
  "§2 Order": "Order",
  "§2 OrderRef": "OrderRef",
  "§2 PaginationInfo": "PaginationInfo",
  "§2 Portfolio": "Portfolio",
  "§2 OrderBook": "OrderBook and level",
  "§2 Candlestick": "Candlestick",
  "§2 MarketConfig": "MarketConfig",
  "§3 Order status": "Order status",
  "§3 Position": "Position states",
  "§4": "All endpoints and their headers",
  "§4.1": "GetAllPositions",
  "§4.2": "GetOpenPositionsStreaming",
  "§4.3": "GetAllOrders",
  "§4.4": "GetOrders",
  "§4.5": "GetPortfolio",
  "§4.6": "GetOrderBook",
  "§4.7": "GetHistoricalPrices",
  "§4.8": "GetMarketConfigs",
  "§4.9": "GetMarketIdByName",
  "§4 Other operations": "Other operations",
  "§5": "Authentication",
  "§6": "Events",
  "§7": "Errors",
  "§8": "Limits",
  "§9": "Versioning",
} as const;

/** A section of the specification, such as `§4.1` or `§2 Position`. */
export type Section = keyof typeof sections;

/** All sections, in the specification's order. */
export const sectionNames = Object.keys(sections) as Section[];

/** A section as a heading: `§4.1 GetAllPositions`, `§2 OrderBook and level`. */
export function sectionHeading(section: Section): string {
  const [number] = section.split(" ");
  return `${number} ${sections[section]}`;
}
