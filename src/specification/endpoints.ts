/**
 * The nine operations of the read API (§4.1 to §4.9) and their paths.
 *
 * Every operation is an HTTP POST to `{base_url}{path}` with a JSON body (§1). One of them is a server stream.
 */
export const endpoints = {
  GetAllPositions: {
    path: "/position_service.v1.PositionService/GetAllPositions",
    section: "§4.1",
    kind: "unary",
  },
  GetOpenPositionsStreaming: {
    path: "/position_service.v1.PositionService/GetOpenPositionsStreaming",
    section: "§4.2",
    kind: "stream",
  },
  GetAllOrders: { path: "/order_service.v1.OrderService/GetAllOrders", section: "§4.3", kind: "unary" },
  GetOrders: { path: "/order_service.v1.OrderService/GetOrders", section: "§4.4", kind: "unary" },
  GetPortfolio: { path: "/portfolio.v1.PortfolioService/GetPortfolio", section: "§4.5", kind: "unary" },
  GetOrderBook: { path: "/orderbook_service.v1.OrderBookService/GetOrderBook", section: "§4.6", kind: "unary" },
  GetHistoricalPrices: { path: "/price_service.v1.PriceService/GetHistoricalPrices", section: "§4.7", kind: "unary" },
  GetMarketConfigs: { path: "/market_service.v1.MarketService/GetMarketConfigs", section: "§4.8", kind: "unary" },
  GetMarketIdByName: { path: "/market_service.v1.MarketService/GetMarketIdByName", section: "§4.9", kind: "unary" },
} as const satisfies Record<string, { path: string; section: `§${string}`; kind: "unary" | "stream" }>;

/** The name of an operation, as the specification spells it. */
export type Endpoint = keyof typeof endpoints;

/** The one operation that is a server stream (§4.2). */
export type StreamEndpoint = "GetOpenPositionsStreaming";

/** Whether an operation is the server stream. */
export function isStream(endpoint: Endpoint): endpoint is StreamEndpoint {
  return endpoints[endpoint].kind === "stream";
}

/** The eight operations that answer one request with one response. */
export type UnaryEndpoint = Exclude<Endpoint, StreamEndpoint>;

/** All operation names, in the specification's order. */
export const endpointNames = Object.keys(endpoints) as Endpoint[];

/** The eight unary operation names, in the specification's order. */
export const unaryEndpointNames = endpointNames.filter((name): name is UnaryEndpoint => !isStream(name));

/** The operations that return positions (§4.1, §4.2, §4.5). */
export const positionEndpoints = ["GetAllPositions", "GetOpenPositionsStreaming", "GetPortfolio"] as const;

/**
 * The operations that return whole orders: the two order lists, the portfolio, and the orders associated with listed
 * positions (§4.1, §4.3 to §4.5). The stream is not included: its positions need not have associated orders (§4.2).
 */
export const orderEndpoints = ["GetAllPositions", "GetAllOrders", "GetOrders", "GetPortfolio"] as const;

/** The operations with a paged response (§4.1, §4.3). */
export const pagedEndpoints = ["GetAllPositions", "GetAllOrders"] as const;
export type PagedEndpoint = (typeof pagedEndpoints)[number];

/** The operations that take a wallet address (§4.2 to §4.5). */
export const walletEndpoints = ["GetOpenPositionsStreaming", "GetAllOrders", "GetOrders", "GetPortfolio"] as const;

/** The operations that take a market selector (§4.4, §4.6 to §4.8). */
export const selectorEndpoints = ["GetOrders", "GetOrderBook", "GetHistoricalPrices", "GetMarketConfigs"] as const;

/** A count per operation; operations may be left out. */
export type EndpointCounts = Readonly<Partial<Record<Endpoint, number>>>;
