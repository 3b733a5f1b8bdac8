"""The papers behind the methods, by the names that texts use for them."""

from __future__ import annotations

from collections.abc import Mapping

REFERENCES: Mapping[str, str] = {
    "student-1908": "Student. The Probable Error of a Mean. Biometrika 6(1), 1–25, 1908.",
    "wilson-1927": "E. B. Wilson. Probable Inference, the Law of Succession, and Statistical Inference. Journal of the "
    "American Statistical Association 22(158), 209–212, 1927.",
    "wilcoxon-1945": "F. Wilcoxon. Individual Comparisons by Ranking Methods. Biometrics Bulletin 1(6), 80–83, 1945.",
    "dunnett-1955": "C. W. Dunnett. A Multiple Comparison Procedure for Comparing Several Treatments with a Control. "
    "Journal of the American Statistical Association 50(272), 1096–1121, 1955.",
    "hodges-lehmann-1963": "J. L. Hodges and E. L. Lehmann. Estimates of Location Based on Rank Tests. The Annals of "
    "Mathematical Statistics 34(2), 598–611, 1963.",
    "hartigan-1969": "J. A. Hartigan. Using Subsample Values as Typical Values. Journal of the American Statistical "
    "Association 64(328), 1303–1317, 1969.",
    "johnson-1978": "N. J. Johnson. Modified t Tests and Confidence Intervals for Asymmetrical Populations. Journal of "
    "the American Statistical Association 73(363), 536–544, 1978.",
    "westfall-young-1993": "P. H. Westfall and S. S. Young. Resampling-Based Multiple Testing. Wiley, 1993.",
    "romano-wolf-2005": "J. P. Romano and M. Wolf. Stepwise Multiple Testing as Formalized Data Snooping. Econometrica "
    "73(4), 1237–1282, 2005.",
    "smucker-2007": "M. D. Smucker, J. Allan and B. Carterette. A Comparison of Statistical Significance Tests for "
    "Information Retrieval Evaluation. In Proc. CIKM 2007. https://doi.org/10.1145/1321440.1321528",
    "carterette-2012": "B. A. Carterette. Multiple Testing in Statistical Analysis of Systems-Based Information "
    "Retrieval Experiments. ACM Transactions on Information Systems 30(1), article 4, 2012. "
    "https://doi.org/10.1145/2094072.2094076",
    "bell-mccaffrey-2002": "R. M. Bell and D. F. McCaffrey. Bias Reduction in Standard Errors for Linear Regression "
    "with Multi-Stage Samples. Survey Methodology 28(2), 169–181, 2002.",
    "angelopoulos-2023": "A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I. Jordan and T. Zrnic. Prediction-Powered "
    "Inference. Science 382(6671), 669–674, 2023.",
    "kendall-1945": "M. G. Kendall. The Treatment of Ties in Ranking Problems. Biometrika 33(3), 239–251, 1945.",
    "holm-1979": "S. Holm. A Simple Sequentially Rejective Multiple Test Procedure. Scandinavian Journal of Statistics "
    "6(2), 65–70, 1979.",
    "hochberg-1988": "Y. Hochberg. A Sharper Bonferroni Procedure for Multiple Tests of Significance. Biometrika "
    "75(4), 800–802, 1988.",
    "benjamini-hochberg-1995": "Y. Benjamini and Y. Hochberg. Controlling the False Discovery Rate: A Practical and "
    "Powerful Approach to Multiple Testing. Journal of the Royal Statistical Society B 57(1), 289–300, 1995.",
    "benjamini-yekutieli-2001": "Y. Benjamini and D. Yekutieli. The Control of the False Discovery Rate in Multiple "
    "Testing under Dependency. The Annals of Statistics 29(4), 1165–1188, 2001.",
    "fieller-1954": "E. C. Fieller. Some Problems in Interval Estimation. Journal of the Royal Statistical Society B "
    "16(2), 175–185, 1954.",
    "hall-1992": "P. Hall. On the Removal of Skewness by Transformation. Journal of the Royal Statistical Society B "
    "54(1), 221–228, 1992.",
    "efron-tibshirani-1993": "B. Efron and R. J. Tibshirani. An Introduction to the Bootstrap. Chapman and Hall, 1993.",
    "waudby-smith-ramdas-2024": "I. Waudby-Smith and A. Ramdas. Estimating Means of Bounded Random Variables by "
    "Betting. Journal of the Royal Statistical Society B 86(1), 1–27, 2024.",
    "waudby-smith-2024": "I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas. Time-Uniform Central "
    "Limit Theory and Asymptotic Confidence Sequences. The Annals of Statistics 52(6), 2613–2640, 2024.",
    "tukey-1949": "J. W. Tukey. Comparing Individual Means in the Analysis of Variance. Biometrics 5(2), 99–114, 1949.",
    "schuirmann-1987": "D. J. Schuirmann. A Comparison of the Two One-Sided Tests Procedure and the Power Approach for "
    "Assessing the Equivalence of Average Bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15(6), "
    "657–680, 1987.",
    "satterthwaite-1946": "F. E. Satterthwaite. An Approximate Distribution of Estimates of Variance Components. "
    "Biometrics Bulletin 2(6), 110–114, 1946.",
    "welch-1947": "B. L. Welch. The Generalization of 'Student's' Problem when Several Different Population Variances "
    "are Involved. Biometrika 34(1/2), 28–35, 1947.",
    "knapp-hartung-2003": "G. Knapp and J. Hartung. Improved Tests for a Random Effects Meta-Regression with a Single "
    "Covariate. Statistics in Medicine 22(17), 2693–2710, 2003.",
    "hedges-olkin-1985": "L. V. Hedges and I. Olkin. Statistical Methods for Meta-Analysis. Academic Press, 1985.",
    "higgins-thompson-2002": "J. P. T. Higgins and S. G. Thompson. Quantifying Heterogeneity in a Meta-Analysis. "
    "Statistics in Medicine 21(11), 1539–1558, 2002.",
    "al-mohamad-2022": "D. Al Mohamad, J. J. Goeman and E. W. van Zwet. Simultaneous Confidence Intervals for Ranks "
    "with Application to Ranking Institutions. Biometrics 78(1), 238–247, 2022.",
    "frick-2014": "K. Frick, A. Munk and H. Sieling. Multiscale Change Point Inference. Journal of the Royal "
    "Statistical Society B 76(3), 495–580, 2014.",
    "ramdas-2017": "A. Ramdas, F. Yang, M. J. Wainwright and M. I. Jordan. Online Control of the False Discovery Rate "
    "with Decaying Memory. Advances in Neural Information Processing Systems 30, 2017.",
    "banerjee-1960": "S. K. Banerjee. Approximate Confidence Interval for Linear Functions of Means of k Populations "
    "when the Population Variances Are Not Equal. Sankhyā 22(3/4), 357–358, 1960.",
    "bradley-1978": "J. V. Bradley. Robustness? British Journal of Mathematical and Statistical Psychology 31(2), "
    "144–152, 1978. https://doi.org/10.1111/j.2044-8317.1978.tb00581.x",
    "kupper-hafner-1989": "L. L. Kupper and K. B. Hafner. How Appropriate Are Popular Sample Size Formulas? The "
    "American Statistician 43(2), 101–105, 1989.",
    "faggioli-ferro-2021": "G. Faggioli and N. Ferro. System Effect Estimation by Sharding: A Comparison Between ANOVA "
    "Approaches to Detect Significant Differences. In Proc. ECIR 2021.",
    "ferro-kim-sanderson-2019": "N. Ferro, Y. Kim and M. Sanderson. Using Collection Shards to Study Retrieval "
    "Performance Effect Sizes. ACM Transactions on Information Systems 37(3), article 30, 2019. "
    "https://doi.org/10.1145/3310364",
    "ferro-sanderson-2019": "N. Ferro and M. Sanderson. Improving the Accuracy of System Performance Estimation by "
    "Using Shards. In Proc. SIGIR 2019. https://doi.org/10.1145/3331184.3338062",
    "jayasinghe-2014": "G. K. Jayasinghe, W. Webber, M. Sanderson, L. S. Dharmasena and J. S. Culpepper. Evaluating "
    "Non-deterministic Retrieval Systems. In Proc. SIGIR 2014.",
    "urbano-lima-hanjalic-2019": "J. Urbano, H. Lima and A. Hanjalic. Statistical Significance Testing in Information "
    "Retrieval: An Empirical Analysis of Type I, Type II and Type III Errors. In Proc. SIGIR 2019. "
    "https://doi.org/10.1145/3331184.3331259",
    "parapar-2020": "J. Parapar, D. E. Losada, M. A. Presedo-Quindimil and A. Barreiro. Using Score Distributions to "
    "Compare Statistical Significance Tests for Information Retrieval Evaluation. Journal of the Association for "
    "Information Science and Technology 71(1), 98–113, 2020. https://doi.org/10.1002/asi.24203",
    "otero-2025": "D. Otero, J. Parapar and Á. Barreiro. Towards Reliable Testing for Multiple Information Retrieval "
    "System Comparisons. In Proc. ECIR 2025. https://arxiv.org/abs/2501.03930.",
    "ihemelandu-ekstrand-2023": "N. Ihemelandu and M. D. Ekstrand. Inference at Scale: Significance Testing for Large "
    "Search and Recommendation Experiments. In Proc. SIGIR 2023. https://arxiv.org/abs/2305.02461.",
    "boytsov-2013": "L. Boytsov, A. Belova and P. Westfall. Deciding on an Adjustment for Multiplicity in IR "
    "Experiments. In Proc. SIGIR 2013.",
    "voorhees-2017": "E. M. Voorhees, D. Samarov and I. Soboroff. Using Replicates in Information Retrieval "
    "Evaluation. ACM Transactions on Information Systems 36(2), 2017. https://doi.org/10.1145/3086701",
    "zobel-rashidi-2020": "J. Zobel and L. Rashidi. Corpus Bootstrapping for Assessment of the Properties of "
    "Effectiveness Measures. In Proc. CIKM 2020. https://doi.org/10.1145/3340531.3411998",
    "brennan-2001": "R. L. Brennan. Generalizability Theory. Springer, 2001.",
    "urbano-2013": "J. Urbano, M. Marrero and D. Martín. On the Measurement of Test Collection Reliability. In Proc. "
    "SIGIR 2013, 393–402.",
    "urbano-marrero-2017": "J. Urbano and M. Marrero. The Treatment of Ties in AP Correlation. In Proc. ICTIR 2017.",
    "arteaga-1982": "C. Arteaga, S. Jeyaratnam and G. A. Franklin. Confidence Intervals for Proportions of Total "
    "Variance in the Two-Way Cross Component of Variance Model. Communications in Statistics: Theory and Methods "
    "11(15), 1643–1658, 1982.",
}
