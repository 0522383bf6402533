export type { Dataset } from "./dataset/dataset.js";
export { defaultOrders } from "./dataset/generate.js";
export type { Market, OrderRecord, PositionRecord, Wallet } from "./dataset/model.js";
export type { Modification, Mutant, Variant } from "./modification.js";
export { type Clock, type ReferenceServer, type ReferenceServerOptions, startReferenceServer } from "./server.js";
